// Supervises a terminal, sees that nothing is left to finish, renews its agent, and is killed at a given moment: before or
// after any write to the store, and before or after anything that is asked of the host. Prints the moments that it saw.
//
//   node renew-and-die.mjs '{"folder": …, "killAt": 7, "what": "renew"}'
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '@devs/core';
import { openSqliteBackend } from '@devs/store';
import { openHostIn, superviseTerminal } from '@devs/supervisor';
import { fixtureDriver, fixtureSource } from '@devs/supervisor/testing';

const { folder, killAt, what, task } = JSON.parse(process.argv[2]);
const home = join(folder, 'home');
let isCounting = false;
let moments = 0;
const moment = () => {
  if (isCounting && moments++ === killAt) process.kill(process.pid, 'SIGKILL');
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

const store = openStore({
  backend: openSqliteBackend({ file: join(folder, 'state.db') }),
  clock: Date,
  newId: randomUUID,
});
const request = {
  name: 'parser',
  driver: fixtureDriver,
  openHost: async () =>
    around(await openHostIn({ folder: join(folder, 'host'), graceMs: 300 }), ['spawn', 'end', 'forget']),
  store: { ...store, log: around(store.log, ['append']) },
  by: `program ${process.pid}`,
  place: {
    folder: join(folder, 'project'),
    home,
    env: { PATH: process.env.PATH, FIXTURE_HOME: home, TERM: 'xterm-256color' },
  },
  launch: { userArgs: ['--theirs', 'kept'], systemPrompt: 'BASE PROMPT' },
  ...(task === undefined ? {} : { task }),
  hasWorkLeft: () => true,
  privateFolder: join(folder, 'private'),
  sources: [fixtureSource()],
  ownWords: 'always',
  clock: Date,
  newId: randomUUID,
  policy: { resumeMs: 10 },
  timing: { graceMs: 500, confirmMs: 4_000, actionMs: 1_500, considerMs: 50, leaseMs: 400, pollMs: 10 },
  typing: { promptTimeoutMs: 2_000, echoTimeoutMs: 500, deliveryTimeoutMs: 700 },
};

let outcome;
do {
  outcome = await superviseTerminal(request);
  if (outcome.status === 'held') await pause(50);
} while (outcome.status === 'held');
if (outcome.status !== 'supervised') throw new Error(JSON.stringify(outcome));
const { terminal } = outcome;
const isSettled = () => {
  const { renewal, state } = terminal.status();
  return renewal === 'idle' && state?.activity === 'idle';
};
const settle = async () => {
  for (let quiet = 0; quiet < 5; quiet = isSettled() ? quiet + 1 : 0) await pause(20);
};
await settle();
isCounting = true;
if (what === 'renew') await terminal.renew();
if (what === 'undo') await terminal.undoRenewal();
if (what === 'clear') await terminal.contextAction('clear');
isCounting = false;
await settle();
await terminal.close();
await store.close();
process.stdout.write(`${JSON.stringify({ moments })}\n`, () => process.exit(0));
