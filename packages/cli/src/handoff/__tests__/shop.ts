import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createManualClock } from '@devs/core/testing';
import { onTestFinished } from 'vitest';
import { createWorld } from '../../__tests__/run-here.js';
import { createRecall } from '../../recall/create-recall.js';
import { createMemoryAgreements } from '../../trust/__tests__/memory-agreements.js';
import { createConversations } from '../create-conversations.js';

type Row = Readonly<Record<string, unknown>>;

const tool = (id: string, name: string, input: Row): Row => ({ type: 'tool_use', id, name, input });
const answered = (id: string): Row => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

/** A conversation of Claude Code. The folder is put in by `keep`. */
export const TRANSCRIPT: readonly Row[] = [
  { type: 'user', sessionId: 'c-1', message: { content: 'Make the totals right' } },
  {
    type: 'assistant',
    message: {
      id: 'm-1',
      content: [
        { type: 'text', text: 'Let me look at the cart.' },
        tool('t-1', 'Edit', { file_path: 'FOLDER/src/add-up.ts', old_string: 'a', new_string: 'b' }),
        tool('t-2', 'TodoWrite', {
          todos: [
            { content: 'Fix the sum', status: 'completed' },
            { content: 'Write a test for vouchers', status: 'pending' },
          ],
        }),
      ],
      usage: { input_tokens: 100, cache_read_input_tokens: 50, output_tokens: 7 },
    },
  },
  { type: 'user', message: { content: [answered('t-1'), answered('t-2')] } },
];

/** A folder with a repository, a home with conversations, and `devs` in it. */
export async function createShop(name = 'shop') {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'devs-home-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, name);
  await mkdir(folder);
  const env = { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', PATH: process.env['PATH'] };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  const world = createWorld();
  const agreements = createMemoryAgreements();
  let kept = 0;
  return {
    folder,
    git,
    files: world.files,
    async write(path: string, text: string) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    },
    /** A newer conversation in the folder; the path of its transcript. Rows that are no text are records. */
    async keep(rows: readonly (Row | string)[]): Promise<string> {
      const projects = join(home, '.claude', 'projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
      await mkdir(projects, { recursive: true });
      const path = join(projects, `c-${++kept}.jsonl`);
      const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify({ cwd: folder, ...row })));
      await writeFile(path, lines.map((line) => `${line.replaceAll('FOLDER', folder)}\n`).join(''));
      return path;
    },
    devs: (...argv: readonly string[]) =>
      world.devs(argv, {
        recall: (wanted) =>
          createRecall({
            loadAgents: () => import('@devs/drivers'),
            loadStores: () => import('@devs/store'),
            platform: 'linux',
            home,
            env,
            now: Date.now,
          })({ ...wanted, root: folder }),
        conversations: createConversations({
          loadAgents: () => import('@devs/drivers'),
          loadWorktree: () => import('@devs/worktree'),
          loadStores: () => import('@devs/store'),
          agreements,
          platform: 'linux',
          folder,
          home,
          env,
          now: createManualClock(Date.UTC(2026, 0, 2)).now,
        }),
      }),
  };
}
