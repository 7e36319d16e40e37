import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadWorkflowTemplate, loadWorkflowTemplateFromString } from '../loader.js';

const FOLDER = new URL('../../../../../workflows/', import.meta.url);
const readText = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));

describe('the workflows that ship', () => {
  it('are these', () => {
    expect(files.sort()).toEqual([
      'bugfix.yaml',
      'context-example.yaml',
      'default.yaml',
      'feature.yaml',
      'refactor.yaml',
    ]);
  });

  it.each(files)('%s is valid, and named after its file', (file) => {
    expect(`${loadWorkflowTemplate(file, readText).name}.yaml`).toBe(file);
  });

  it.each(files.filter((file) => file !== 'context-example.yaml'))(
    '%s is checked by editors while it is edited',
    (file) => {
      expect(readText(file)).toMatch(/^# yaml-language-server: \$schema=\.\/schema\.json\n/);
    },
  );

  it.each(files)('%s uses each of its agents', (file) => {
    const { agents = {}, loops = {}, steps } = loadWorkflowTemplate(file, readText);
    const used = new Set([...steps, ...Object.values(loops).flat()].map(({ agent }) => agent));
    expect(Object.keys(agents).filter((agent) => !used.has(agent))).toEqual([]);
  });

  it('have the contexts that the seed gives its example', () => {
    const { steps, loops } = loadWorkflowTemplate('context-example.yaml', readText);
    expect(steps.map(({ id, context }) => [id, context])).toEqual([
      ['brainstorm', 'clear'],
      ['plan', undefined],
      ['implement_loop', undefined],
      ['review', 'compact'],
    ]);
    expect(
      Object.values(loops ?? {})
        .flat()
        .map(({ id, context }) => [id, context]),
    ).toEqual([
      ['analyze', undefined],
      ['code', 'compact'],
      ['verify', undefined],
    ]);
  });
});

describe('the guide to workflows', () => {
  const guide = readText('../docs/workflows.md');

  it('shows an example that is valid', () => {
    const [, example = ''] = /^```yaml\n(.*?)^```$/ms.exec(guide) ?? [];
    expect(loadWorkflowTemplateFromString(example).name).toBe('careful-change');
  });

  it('explains every key', () => {
    const keys = [...readText('schema.json').matchAll(/"(\w+)": \{\s*"description": "/g)].map(([, key = '']) => key);
    expect(keys).toContain('on_fail');
    expect(keys.filter((key) => !guide.includes(`\`${key}\``))).toEqual([]);
  });
});
