import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runDevs } from '../../../__tests__/run-devs.js';
import { processesOf, type RunProcess, type StartedDevs, startDevs } from '../run-project.js';
import { SMALL_WORKFLOW } from '../small-work.js';

export interface MachineOptions {
  readonly root: string;
  readonly address: string;
  readonly scenario: string;
  readonly lostAfter: number;
  /** By how much its clock is off. */
  readonly clockOffMs: number;
  clone(folder: string, name: string): void;
}

type Victim = RunProcess['kind'] | 'machine';

/** A home, a clone and a name of its own, with a worker that is started again whenever it was killed. */
export interface SoakMachine {
  readonly name: string;
  start(): void;
  /** By `kill -9`; what was killed. */
  kill(victim: Victim): readonly RunProcess['kind'][];
  /** All of its processes stand still. */
  freeze(): void;
  thaw(): void;
  readonly isServing: boolean;
  processes(): readonly RunProcess[];
  /** Ends its worker as Ctrl-C does. */
  drain(): Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
  devs(...args: readonly string[]): ReturnType<typeof runDevs>;
}

export function createSoakMachine(name: string, options: MachineOptions): SoakMachine {
  const { root, address, scenario, lostAfter, clockOffMs } = options;
  const home = join(root, name);
  const folder = join(home, 'project');
  const state = join(home, 'state');
  const env = {
    HOME: home,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: join(home, 'config'),
    DEVS_MACHINE: name,
    DEVS_STORE: address,
    ...(clockOffMs === 0 ? {} : { NODE_OPTIONS: `--require=${writeClock(root, name, clockOffMs)}` }),
  };
  mkdirSync(join(env.XDG_CONFIG_HOME, 'devs'), { recursive: true });
  writeFileSync(
    join(env.XDG_CONFIG_HOME, 'devs', 'config.yaml'),
    `agent: builtin\nworkflow: small\nmodel: { window: 30000 }\nfleet: { lostAfter: ${lostAfter} }\n`,
  );
  options.clone(folder, name);
  mkdirSync(join(folder, '.devs', 'workflows'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.devs', 'workflows', 'small.yaml'), SMALL_WORKFLOW);

  let worker: StartedDevs | undefined;
  const processes = () => processesOf(state);
  const signalAll = (signal: NodeJS.Signals) => {
    for (const { pid } of processes()) send(pid, signal);
  };
  onTestFinished(() => {
    signalAll('SIGKILL');
    signalAll('SIGKILL'); // what was started in between
  });
  return {
    name,
    start() {
      const started = startDevs(
        ['worker', '--slots', '2', '--provider', 'scripted', '--scenario', scenario, '--json'],
        {
          cwd: folder,
          env: { ...process.env, ...env },
        },
      );
      worker = started;
      void started.ended.then(() => {
        if (worker === started) worker = undefined;
      });
    },
    kill(victim) {
      const chosen = processes().filter(({ kind }) => victim === 'machine' || kind === victim);
      for (const { pid } of chosen) send(pid, 'SIGKILL');
      return chosen.map(({ kind }) => kind);
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    get isServing() {
      return worker !== undefined;
    },
    processes,
    async drain() {
      if (worker === undefined) return { exitCode: 0, stderr: '' };
      send(worker.pid, 'SIGINT');
      return worker.ended;
    },
    devs: (...args) => runDevs(args, { cwd: folder, env }),
  };
}

/** What every node of a machine loads first: its clock is off. */
function writeClock(root: string, name: string, offMs: number): string {
  const file = join(root, `clock-of-${name}.cjs`);
  const text = `const RealDate = Date;
const off = ${offMs};
globalThis.Date = class Date extends RealDate {
  constructor(...args) { args.length === 0 ? super(RealDate.now() + off) : super(...args); }
  static now() { return RealDate.now() + off; }
};
`;
  writeFileSync(file, text);
  return file;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
}
