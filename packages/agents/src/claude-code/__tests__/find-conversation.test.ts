import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findClaudeCodeConversation } from '../find-conversation.js';

describe('the newest conversation of a folder', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'devs-home-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function keep(projects: string, name: string, modifiedS: number) {
    await mkdir(projects, { recursive: true });
    await writeFile(join(projects, name), '{}\n');
    await utimes(join(projects, name), modifiedS, modifiedS);
  }

  it('is the one that was written last', async () => {
    const projects = join(home, '.claude', 'projects', '-home-anna-my-shop');
    await keep(projects, 'old.jsonl', 100);
    await keep(projects, 'new.jsonl', 200);
    await keep(projects, 'notes.txt', 300);
    await expect(findClaudeCodeConversation('/home/anna/my.shop', { home, env: {} })).resolves.toEqual({
      path: join(projects, 'new.jsonl'),
      modifiedMs: 200_000,
    });
  });

  it('is where CLAUDE_CONFIG_DIR says', async () => {
    const projects = join(home, 'elsewhere', 'projects', '-p');
    await keep(projects, 'c.jsonl', 100);
    const env = { CLAUDE_CONFIG_DIR: join(home, 'elsewhere') };
    await expect(findClaudeCodeConversation('/p', { home, env })).resolves.toMatchObject({ modifiedMs: 100_000 });
  });

  it('is none where the agent was never used', async () => {
    await expect(findClaudeCodeConversation('/p', { home, env: {} })).resolves.toBeUndefined();
  });
});
