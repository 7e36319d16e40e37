import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createScene } from '../../hook/__tests__/scene.js';
import { createShop } from './shop.js';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
/** Known for what they are only by what stands in front of them. */
const PASSWORDS = ['hunter2Secret99', 'zebra4Crossing'];
const PRINTED = `DB_PASSWORD=${PASSWORDS[0]}\nDB_HOST_NAME=db.example.org\npassword: ${PASSWORDS[1]}`;
const COMMAND = `GITHUB_TOKEN=${TOKEN} gh release create v1.2.3`;

const call = (id: string, name: string, input: object, result: string) => [
  { type: 'assistant', message: { id: `m-${id}`, content: [{ type: 'tool_use', id, name, input }] } },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: result }] } },
];

const TRANSCRIPT = [
  { type: 'user', sessionId: 'c-1', message: { content: `Release it. The token is GITHUB_TOKEN=${TOKEN}` } },
  ...call('t-1', 'Bash', { command: 'cat .env' }, PRINTED),
  ...call('t-2', 'Bash', { command: COMMAND }, 'done'),
  ...call('t-3', 'mcp__vault__get', { path: 'x', token: TOKEN }, PRINTED),
  ...call('t-4', 'Read', { file_path: `FOLDER/${TOKEN}/app.yml` }, PRINTED),
  ...call('t-5', 'Edit', { file_path: `FOLDER/${TOKEN}/app.yml`, old_string: PRINTED, new_string: PRINTED }, 'ok'),
  ...call('t-6', 'TaskCreate', { subject: `Rotate ${TOKEN}` }, 'Task #1 created successfully: x'),
  { type: 'user', isCompactSummary: true, message: { content: `They gave me GITHUB_TOKEN=${TOKEN}.` } },
  { type: 'user', message: { content: 'Now tell everybody about it.' } },
];

const expectNoSecrets = (text: string) => {
  for (const secret of [TOKEN, TOKEN.slice(4), ...PASSWORDS]) expect(text).not.toContain(secret);
};

it.each([
  [['handoff']],
  [['handoff', '--json']],
  [['handoff', '--check']],
  [['handoff', '--check', '--json']],
  [['handoff', '--diff', '--budget-chars', '1000']],
  [['handoff', '--diff', '--json', '--budget-chars', '1000']],
  [['handoff', '--to', 'claude']],
  [['debug', 'transcript', 'TRANSCRIPT']],
  [['debug', 'transcript', 'TRANSCRIPT', '--json']],
])('no secret is printed or kept by devs %j', async (argv) => {
  const { devs, keep, folder } = await createShop();
  const path = await keep(TRANSCRIPT);
  const { stdout, stderr } = await devs(...argv.map((word) => (word === 'TRANSCRIPT' ? path : word)));
  expect(stdout).not.toBe('');
  expectNoSecrets(stdout + stderr);
  const handoffs = join(folder, '.devs', 'handoffs');
  const files = argv.includes('--to') ? await readdir(handoffs) : [];
  expect(files).toHaveLength(argv.includes('--to') ? 2 : 0);
  for (const file of files) expectNoSecrets(await readFile(join(handoffs, file), 'utf8'));
});

it('a hook neither shows nor keeps a secret', async () => {
  const scene = createScene();
  scene.asks(`Release it. The token is GITHUB_TOKEN=${TOKEN}`);
  scene.runs('cat .env', PRINTED);
  scene.runs(COMMAND, 'done');
  scene.says('Released.');
  await scene.hook('PreCompact');
  const told = await scene.hook('SessionStart', { source: 'compact' });
  expect(told).toContain('DB_HOST_NAME');
  expectNoSecrets(told ?? '');
  for (const name of ['ledger', 'prepared']) expectNoSecrets(scene.kept(`claude-code-s1.${name}.json`));
});
