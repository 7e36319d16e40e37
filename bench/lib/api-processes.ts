import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectSupervisor } from '@devs/server/client';
import { connectHost } from '@devs/terminals';
import { median } from './api-requests.js';

const TERMINALS = 100;
const AT_ONCE = 5;
const LOOKS = 7;
const LOOK_MS = 1_000;
/** Prints a screen and its scrollback, then does nothing. */
const AGENT = `#!/bin/sh
[ "$1" = --version ] && echo 2.1.325 && exit
seq -f "line %g of what an agent has printed so far" 400
exec sleep 100000
`;

/** A user with an agent that does nothing, and no supervisor yet. */
function openHome() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-bench-hundred-')));
  const [bin, project, state] = ['bin', 'project', 'state'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [bin, project]) mkdirSync(path);
  writeFileSync(join(bin, 'claude'), AGENT);
  chmodSync(join(bin, 'claude'), 0o755);
  const environment = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: folder,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: join(folder, 'config'),
    TERM: 'xterm-256color',
  };
  return { folder, project, environment, places: join(state, 'devs') };
}

/** Resident memory of the processes of devs, without the agents: the supervisor and the host of its terminals. */
export async function measureProcesses(): Promise<void> {
  if (process.platform !== 'linux') return console.log('supervisor and host: skipped, they are read from /proc');
  const { folder, project, environment, places } = openHome();
  const devs = fileURLToPath(new URL('../../../packages/cli/bin/devs.mjs', import.meta.url));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [devs, ...args], { env: environment, cwd: project, encoding: 'utf8' });
  const up = run('up');
  if (up.status !== 0) throw new Error(up.stderr);
  const api = await connectSupervisor(join(places, 'supervisor', 'api.sock'));
  if (api === undefined) throw new Error('the supervisor is gone');
  const { pid } = await api.call('status.get', {});
  const start = async (name: string) => {
    const caller = { folder: project, environment, terminal: { columns: 120, rows: 40 } };
    const started = await api.call('terminals.start', { agent: 'claude', args: [], name, caller });
    if (started.status !== 'started') throw new Error(JSON.stringify(started));
  };
  const { host } = await connectHost({ folder: join(places, 'terminals') });
  try {
    await start('t0');
    const one = await residentAtRest(pid, host.pid);
    for (let at = 1; at < TERMINALS; at += AT_ONCE) {
      const names = Array.from({ length: Math.min(AT_ONCE, TERMINALS - at) }, (_, index) => `t${at + index}`);
      await Promise.all(names.map(start));
    }
    const all = await residentAtRest(pid, host.pid);
    print('the supervisor', one.supervisor, all.supervisor);
    print('the host', one.host, all.host);
  } finally {
    api.close();
    run('down');
    await Promise.all((await host.list()).map(({ terminalId }) => host.end(terminalId, { graceMs: 0 })));
    for (const { terminalId } of await host.list()) await host.forget(terminalId);
    host.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

const print = (name: string, one: number, all: number) =>
  console.log(
    `${`${name}, ${TERMINALS} real terminals`.padEnd(43)} ${all.toFixed(0)} MB, ${one.toFixed(0)} MB with one, ${(((all - one) * 1_024) / (TERMINALS - 1)).toFixed(0)} KB each`,
  );

/** Megabytes: the median of several readings, once the start has settled. */
async function residentAtRest(supervisor: number, host: number) {
  const looks: { readonly supervisor: number; readonly host: number }[] = [];
  for (let look = 0; look < LOOKS; look++) {
    await pause(LOOK_MS);
    looks.push({ supervisor: residentOf(supervisor), host: residentOf(host) });
  }
  return { supervisor: median(looks.map((look) => look.supervisor)), host: median(looks.map((look) => look.host)) };
}

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
