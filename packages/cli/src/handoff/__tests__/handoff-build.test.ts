import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld } from '../../__tests__/run-here.js';
import { createConversations } from '../create-conversations.js';

const LINES = [
  { type: 'user', sessionId: 'c-1', cwd: '/shop', message: { content: 'Make the totals right' } },
  { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'Let me look at the cart.' }] } },
];

describe('devs handoff', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'devs-home-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const devs = (...argv: string[]) =>
    createWorld().devs(argv, {
      conversations: createConversations({ loadAgents: () => import('@devs/agents'), folder: '/shop', home, env: {} }),
    });

  async function keep(text: string): Promise<string> {
    const projects = join(home, '.claude', 'projects', '-shop');
    await mkdir(projects, { recursive: true });
    await writeFile(join(projects, 'c-1.jsonl'), text);
    return join(projects, 'c-1.jsonl');
  }

  const conversation = LINES.map((line) => `${JSON.stringify(line)}\n`).join('');

  it('prints the document of the newest conversation here, and nothing else', async () => {
    await keep(conversation);
    const { exitCode, stdout, stderr } = await devs('handoff');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^# Handoff\n/);
    expect(stdout).toContain('Make the totals right');
    expect(stdout).toContain('claude --resume c-1');
  });

  it('takes a transcript, a budget and --json', async () => {
    const path = await keep(conversation);
    const short = await devs('handoff', 'build', '--transcript', path, '--budget-chars', '1000');
    expect(short.stdout.length).toBeLessThanOrEqual(1_001);
    const { stdout } = await devs('handoff', 'build', '--transcript', path, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, conversation: { id: 'c-1', folder: '/shop' } });
  });

  it('complains about damaged lines, and prints the rest', async () => {
    await keep(`\u0000broken\n${conversation}`);
    const { exitCode, stdout, stderr } = await devs('handoff');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Make the totals right');
    expect(stderr).toContain('one line is unreadable');
  });

  it.each([
    ['there is no conversation here', [], 1, 'in /shop. Name one with --transcript FILE.'],
    ['the file is missing', ['--transcript', '/nowhere.jsonl'], 1, '/nowhere.jsonl'],
    ['the agent is unknown', ['--agent', 'parrot'], 2, 'parrot'],
    ['the budget is no number', ['--budget-chars', 'lots'], 2, 'whole number'],
    ['two budgets are given', ['--budget-chars', '2000', '--budget-tokens', '2000'], 2, 'cannot be used with'],
  ])('says what to do where %s', async (_, options, exitCode, words) => {
    const run = await devs('handoff', 'build', ...options);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(words);
  });

  it('says so where the file holds no conversation', async () => {
    const path = await keep('');
    expect(await devs('handoff', '--transcript', path)).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
