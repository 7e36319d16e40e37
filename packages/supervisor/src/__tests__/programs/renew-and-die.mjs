// Supervises a terminal, sees that nothing is left to finish, renews its agent, and is killed at a given moment, or the
// host of its terminal is: before or after any write to the store, and before or after any request to the host. Prints
// the names of the moments that it saw. The kill is real.
//
// node renew-and-die.mjs '{"folder": …, "what": "renew", "victim": "supervisor", "at": "before agent.ended"}'
//
// `at` is a name or the number of a moment. `fromStart`: the moments of finishing earlier work count, too. `broken`: no
// fresh agent can be started. `waits`: prints `settled` when nothing is left to finish, and continues after a line of
// input.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '@devs/core';
import { openSqliteBackend } from '@devs/store';
import { openHostIn, superviseTerminal } from '@devs/supervisor';
import { fixtureDriver, fixtureSource } from '@devs/supervisor/testing';

const { folder, at, victim = 'supervisor', what, task, broken, fromStart, waits } = JSON.parse(process.argv[2]);
const home = join(folder, 'home');
let isCounting = fromStart === true;
let hostPid;
const moments = [];
const seen = new Map();
const moment = (when, name) => {
  if (!isCounting) return;
  const times = (seen.get(`${when} ${name}`) ?? 0) + 1;
  seen.set(`${when} ${name}`, times);
  const here = times === 1 ? `${when} ${name}` : `${when} ${name} ${times}`;
  moments.push(here);
  if (here !== at && moments.length - 1 !== at) return;
  if (victim !== 'supervisor') process.kill(hostPid, 'SIGKILL');
  if (victim !== 'host') process.kill(process.pid, 'SIGKILL');
};
const around = (object, names, nameOf = (name) => name) =>
  Object.assign(
    Object.create(Object.getPrototypeOf(object), Object.getOwnPropertyDescriptors(object)),
    Object.fromEntries(
      names.map((method) => [
        method,
        async (...args) => {
          const name = nameOf(method, args);
          moment('before', name);
          const result = await object[method](...args);
          moment('after', name);
          return result;
        },
      ]),
    ),
  );
/** Two outcomes of one transition are one moment: which it is may depend on how busy the machine is. */
const nameOf = ({ type }) => type.replace(/^(handoff|checkpoint|takeover)\..*$/, '$1');
const openHost = async () => {
  const host = await openHostIn({ folder: join(folder, 'host'), graceMs: 300 });
  hostPid = host.pid;
  return around(host, ['spawn', 'write', 'end', 'forget'], (method) => `host.${method}`);
};
const driver = {
  ...fixtureDriver,
  async launch(request) {
    const plan = await fixtureDriver.launch(request);
    return broken === true && request.conversation.kind === 'fresh' ? { ...plan, command: '/no/such/program' } : plan;
  },
};

const store = openStore({
  backend: openSqliteBackend({ file: join(folder, 'state.db') }),
  clock: Date,
  newId: randomUUID,
});
const request = {
  name: 'parser',
  driver,
  openHost,
  store: {
    ...store,
    log: around(store.log, ['append'], (_method, [, , [event]]) => nameOf(event)),
    tasks: around(store.tasks, ['release'], () => 'tasks.release'),
  },
  by: `program ${process.pid}`,
  place: {
    folder: join(folder, 'project'),
    home,
    env: { PATH: process.env.PATH, FIXTURE_HOME: home, FIXTURE_BEHAVIOUR: 'has-child', TERM: 'xterm-256color' },
  },
  ...(what === 'finish' ? {} : { launch: { userArgs: ['--theirs', 'kept'], systemPrompt: 'BASE PROMPT' } }),
  ...(task === undefined ? {} : { task }),
  hasWorkLeft: () => true,
  privateFolder: join(folder, 'private'),
  sources: [fixtureSource()],
  ownWords: 'always',
  clock: Date,
  newId: randomUUID,
  policy: { resumeMs: 10 },
  timing: { graceMs: 300, confirmMs: 4_000, actionMs: 1_500, considerMs: 50, leaseMs: 400, pollMs: 10 },
  typing: { promptTimeoutMs: 5_000, echoTimeoutMs: 1_500, deliveryTimeoutMs: 2_000 },
};

let outcome;
do {
  outcome = await superviseTerminal(request);
  if (outcome.status === 'held') await pause(50);
} while (outcome.status === 'held');
if (what === 'finish' && outcome.status === 'nothing-to-supervise') {
  process.stdout.write(`${JSON.stringify({ moments })}\n`);
  process.exit(0);
}
if (outcome.status !== 'supervised') throw new Error(JSON.stringify(outcome));
const { terminal } = outcome;
const isSettled = () => {
  const { renewal, state, needs } = terminal.status();
  // What could not be renewed stays so in the record when another agent was started since.
  return needs !== undefined || (['idle', 'failed'].includes(renewal) && state?.activity === 'idle');
};
const settle = async () => {
  for (let quiet = 0; quiet < 5; quiet = isSettled() ? quiet + 1 : 0) await pause(20);
};
await settle();
if (waits === true) {
  process.stdout.write('settled\n');
  await once(process.stdin, 'data');
}
isCounting = true;
if (what === 'renew') await terminal.renew();
if (what === 'undo') await terminal.undoRenewal();
if (what === 'clear') await terminal.contextAction('clear');
await settle();
isCounting = false;
if (what === 'stop') await terminal.stop();
await terminal.close();
await store.close();
process.stdout.write(`${JSON.stringify({ moments })}\n`, () => process.exit(0));
