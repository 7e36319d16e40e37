import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listGeminiConversations, projectNames } from '../list-conversations.js';
import { head, model } from './gemini-lines.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'devs-gemini-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function conversation(name: string, seconds: number, ...records: readonly object[]) {
  const path = join(home, '.gemini/tmp', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, [head(), ...records.map((record) => JSON.stringify(record)), ''].join('\n'));
  await utimes(path, seconds, seconds);
  return path;
}

describe('the conversations of Gemini CLI in some folders', () => {
  it('are those that hold more than the set-up', async () => {
    const used = await conversation('project/chats/session-2026-01-01T00-00-aaaa.jsonl', 2_000, model('m1', 'Hello.'));
    await conversation('project/chats/session-2026-01-01T00-01-aaaa.jsonl', 3_000);
    await conversation('other/chats/session-2026-01-01T00-02-bbbb.jsonl', 4_000, model('m1', 'Hello.'));
    await writeFile(
      join(home, '.gemini/projects.json'),
      JSON.stringify({ projects: { '/project': 'project', '/other': 'other' } }),
    );

    expect(await listGeminiConversations({ folders: ['/project'] }, { home, env: {} })).toEqual([
      { path: used, modifiedMs: 2_000_000 },
    ]);
  });

  it('are found under the digest of the folder that older versions use', async () => {
    const digest = createHash('sha256').update('/project').digest('hex');
    const used = await conversation(
      `${digest}/chats/session-2026-01-01T00-00-aaaa.jsonl`,
      2_000,
      model('m1', 'Hello.'),
    );
    const elsewhere = { home: '/nowhere', env: { GEMINI_CLI_HOME: home } };
    expect(await listGeminiConversations({ folders: ['/project/'] }, elsewhere)).toEqual([
      { path: used, modifiedMs: 2_000_000 },
    ]);
  });

  it('are none where Gemini CLI was never used', async () => {
    expect(await listGeminiConversations({ folders: ['/project'] }, { home, env: {} })).toEqual([]);
  });

  it.each(['', '[]', '{"projects":7}', '{"projects":{"/project":"../../etc"}}'])(
    'is not misled by the list %s',
    (list) => {
      expect(projectNames('/project', list)).toHaveLength(1);
    },
  );
});
