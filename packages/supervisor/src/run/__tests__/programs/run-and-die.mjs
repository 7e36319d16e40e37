// Takes a run to its end, or continues an existing one, and is killed at a given moment: before or after any write to
// the store or request to the host. `victim`: the supervisor itself, the host of its terminals, or its agent. Prints
// how it ended.
//
// node run-and-die.mjs '{"folder": …, "template": …, "at": 7, "victim": "supervisor"}'
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, openStore } from '@devs/core';
import { openSqliteBackend } from '@devs/store';
import { createRunIndex, openHostIn, startRun } from '@devs/supervisor';
import { fixtureDriver, fixtureSource } from '@devs/supervisor/testing';

const { folder, template, at, victim = 'supervisor' } = JSON.parse(process.argv[2]);
const [home, project, file] = ['home', 'project', 'state.db'].map((name) => join(folder, name));
let moments = 0;
let hostPid;
const kill = () => {
  if (victim === 'supervisor') process.kill(process.pid, 'SIGKILL');
  const starts = () => readFileSync(join(home, 'starts.log'), 'utf8').trim().split('\n');
  try {
    process.kill(victim === 'host' ? hostPid : JSON.parse(starts().at(-1)).pid, 'SIGKILL');
  } catch {
    // there is none yet, or none any more
  }
};
const moment = () => {
  if (moments++ === at) kill();
};
const around = (object, names) =>
  Object.assign(
    Object.create(Object.getPrototypeOf(object), Object.getOwnPropertyDescriptors(object)),
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...args) => {
          moment();
          const result = await object[name](...args);
          moment();
          return result;
        },
      ]),
    ),
  );

const backend = openSqliteBackend({ file });
const plain = openStore({ backend, clock: Date, newId: randomUUID });
const store = {
  ...plain,
  log: around(plain.log, ['append']),
  tasks: around(plain.tasks, ['complete', 'claim', 'add']),
};
const stream = (path) => `worktree:w${path.slice(folder.length).replaceAll(/[^\w-]/g, '_')}`;
const [known] = await createRunIndex(plain).read();
const env = {
  PATH: process.env.PATH,
  FIXTURE_HOME: home,
  TERM: 'xterm-256color',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};
const outcome = await startRun({
  driver: fixtureDriver,
  store,
  openHost: async () => {
    const host = await openHostIn({ folder: join(folder, 'host'), graceMs: 300 });
    hostPid = host.pid;
    return around(host, ['spawn', 'write', 'end', 'forget']);
  },
  place: { folder: project, home, env },
  privateFolder: join(folder, 'private'),
  sources: [fixtureSource()],
  by: `process ${process.pid}`,
  clock: Date,
  newId: randomUUID,
  worktreeStream: stream,
  mcpServer: (path) => ({ command: 'none', args: [], env: { FIXTURE_STORE: file, FIXTURE_STREAM: stream(path) } }),
  settings: {
    ...DEFAULT_SETTINGS,
    worktree: 'own',
    copy: [],
    setup: [],
    checks: [[process.execPath, '-e', 'require("fs").readFileSync("three.txt")']],
    ledger: { enabled: false },
  },
  timing: {
    graceMs: 300,
    confirmMs: 3_000,
    actionMs: 5_000,
    considerMs: 50,
    leaseMs: 1_000,
    pollMs: 10,
    lookMs: 50,
    idleMs: 250,
    unaskedMs: 700,
    waitingMs: 5_000,
    lastWordsMs: 1_000,
    goneMs: 20_000,
    commandMs: 20_000,
  },
  typing: { promptTimeoutMs: 2_000, echoTimeoutMs: 500, deliveryTimeoutMs: 700 },
  ...(known === undefined
    ? {
        template,
        source: { path: 'scripted.yaml', digest: '0' },
        plan: { request: 'Write it', workflow: 'scripted', agent: 'fixture', place: 'own', folder: project },
      }
    : { runId: known.id }),
});
// It took too long: the caller wants to know its position.
process.on('SIGTERM', () => {
  const status = outcome.run?.status();
  console.error(JSON.stringify({ ...status, position: status?.position.step, last: status?.last.slice(-8) }));
  process.exit(1);
});
const end = outcome.status === 'started' ? await outcome.run.done : outcome;
console.log(JSON.stringify({ end, moments }));
await plain.close();
process.exit(0);
