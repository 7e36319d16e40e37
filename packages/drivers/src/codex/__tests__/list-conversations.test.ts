import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCodexConversations } from '../list-conversations.js';
import { line } from './codex-lines.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'devs-codex-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function conversation(name: string, meta: object, seconds: number) {
  const path = join(home, '.codex/sessions', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${line('session_meta', { ...meta, base_instructions: { text: 'x'.repeat(100_000) } })}\n`);
  await utimes(path, seconds, seconds);
  return path;
}

describe('the conversations of Codex in some folders', () => {
  it('are those of the user there, the newest first', async () => {
    const resumed = await conversation('2026/01/01/rollout-2026-01-01T00-00-00-a.jsonl', { cwd: '/project' }, 3_000);
    const older = await conversation('2026/01/02/rollout-2026-01-02T00-00-00-b.jsonl', { cwd: '/project' }, 2_000);
    await conversation('2026/01/03/rollout-2026-01-03T00-00-00-c.jsonl', { cwd: '/elsewhere' }, 4_000);
    const source = { subagent: { thread_spawn: { parent_thread_id: 'a' } } };
    await conversation('2026/01/03/rollout-2026-01-03T00-00-00-d.jsonl', { cwd: '/project', source }, 5_000);
    await writeFile(join(dirname(resumed), 'rollout-2026-01-01T00-00-01-e.jsonl'), 'damaged\n');

    const newest = { path: resumed, modifiedMs: 3_000_000 };
    expect(await listCodexConversations({ folders: ['/project/', '/new'] }, { home, env: {} })).toEqual([
      newest,
      { path: older, modifiedMs: 2_000_000 },
    ]);
    const elsewhere = { home: '/nowhere', env: { CODEX_HOME: join(home, '.codex') } };
    expect(await listCodexConversations({ folders: ['/project'], limit: 1 }, elsewhere)).toEqual([newest]);
  });

  it('are none where Codex was never used', async () => {
    expect(await listCodexConversations({ folders: ['/project'] }, { home, env: {} })).toEqual([]);
  });
});
