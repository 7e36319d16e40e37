import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@devs/core';
import { loadWorkflowTemplateFromString } from '@devs/core/workflow';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

const GUIDES = join(repoRoot, 'docs', 'guides');
const read = (name: string) => readFileSync(join(GUIDES, name), 'utf8');
const names = readdirSync(GUIDES);
const fences = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, body = '']) => body);
const settingsOf = (text: string) => readSettings([{ where: 'the guide', text }], ['claude', 'codex', 'builtin']);

describe('a guide', () => {
  it.each(names)('%s leads only to files that are there', (name) => {
    const links = [...read(name).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);

    expect(links.filter((link) => !/^https?:/.test(link) && !existsSync(join(GUIDES, link)))).toEqual([]);
  });

  it.each(names)('%s names only commands that exist', async (name) => {
    const { output } = await devsHelp();
    // The first eight commands have a line each; the others stand in the lines of their groups.
    const known = new Set([
      ...[...output.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, command = '']) => command),
      ...[...output.matchAll(/^ {2}[A-Z][\w-]* +(.+)$/gm)].flatMap(([, group = '']) => group.split(' · ')),
    ]);
    const told = fences(read(name), 'sh')
      .join('\n')
      .split('\n')
      .flatMap((line) => /^(?:npx )?devs ([a-z]+)/.exec(line)?.[1] ?? []);

    expect(told.filter((command) => !known.has(command))).toEqual([]);
  });

  let help: ReturnType<typeof capture> | undefined;
  const devsHelp = () => {
    help ??= capture(process.execPath, [join(repoRoot, 'packages/cli/bin/devs.mjs'), '--help']);
    return help;
  };
});

describe('the guide to agents', () => {
  it.each(fences(read('agents.md'), 'yaml'))('has settings that can be used: %s', (text) => {
    expect(settingsOf(text).kind).toBe('settings');
  });
});

describe('the page about the workflow format', () => {
  it('has a workflow that can be run', () => {
    const [text = ''] = fences(readFileSync(join(repoRoot, 'docs', 'workflows.md'), 'utf8'), 'yaml');

    expect(loadWorkflowTemplateFromString(text).steps.map(({ id }) => id)).toEqual([
      'plan',
      'build',
      'polish',
      'review',
    ]);
  });
});
