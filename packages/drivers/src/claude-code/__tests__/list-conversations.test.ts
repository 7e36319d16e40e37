import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listClaudeCodeConversations } from '../list-conversations.js';

describe('the conversations of Claude Code in some folders', () => {
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

  it('come newest first, as many as are wanted', async () => {
    const projects = join(home, '.claude', 'projects', '-home-anna-my-shop');
    await keep(projects, 'old.jsonl', 100);
    await keep(projects, 'new.jsonl', 200);
    await keep(projects, 'notes.txt', 300);
    const newest = { path: join(projects, 'new.jsonl'), modifiedMs: 200_000 };
    const old = { path: join(projects, 'old.jsonl'), modifiedMs: 100_000 };
    const folders = ['/home/anna/my.shop', '/home/anna/elsewhere'];
    expect(await listClaudeCodeConversations({ folders }, { home, env: {} })).toEqual([newest, old]);
    expect(await listClaudeCodeConversations({ folders, limit: 1 }, { home, env: {} })).toEqual([newest]);
  });

  it('are where CLAUDE_CONFIG_DIR says', async () => {
    const projects = join(home, 'elsewhere', 'projects', '-p');
    await keep(projects, 'c.jsonl', 100);
    const env = { CLAUDE_CONFIG_DIR: join(home, 'elsewhere') };
    expect(await listClaudeCodeConversations({ folders: ['/p'] }, { home, env })).toMatchObject([
      { modifiedMs: 100_000 },
    ]);
  });

  it('are none where the agent was never used', async () => {
    expect(await listClaudeCodeConversations({ folders: ['/p'] }, { home, env: {} })).toEqual([]);
  });
});
