import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@devs/core';
import { until as untilTrue } from '@devs/core/testing';
import { openSqliteBackend } from '@devs/store';
import { identifyProcess } from '@devs/terminals';
import { endHost } from '@devs/terminals/testing';
import { onTestFinished } from 'vitest';
import { openHostIn } from '../host/open-host-in.js';
import type { TerminalNotice } from '../notice.js';
import { superviseTerminal } from '../supervise-terminal.js';
import type { SupervisedTerminal, SuperviseRequest } from '../supervised-terminal.js';
import { fixtureDriver, fixtureSource } from '../testing/fixture-driver.js';

interface Start {
  readonly pid: number;
  readonly conversation: string;
  readonly resumed: boolean;
  /** Agents of this world that were running when it was started. */
  readonly beside: readonly number[];
  readonly args: readonly string[];
  readonly system: string;
}

export interface World {
  readonly folder: string;
  readonly project: string;
  readonly store: Store;
  readonly notices: TerminalNotice[];
  /** What the fixture agents said when they were started. */
  starts(): readonly Start[];
  /** Those of them that run. */
  running(): readonly Start[];
  /** Every process that was started by an agent of this world, or is one; by what is in its environment. */
  leftovers(): readonly string[];
  request(changes?: Partial<SuperviseRequest>): SuperviseRequest;
  supervise(changes?: Partial<SuperviseRequest>): Promise<SupervisedTerminal>;
  /** What all agents were told, in the order of their transcripts. */
  prompts(): readonly string[];
  /** Commands that an agent said it does not take. */
  refused(): readonly string[];
  /** Sends a prompt and waits until its turn has ended. */
  say(terminal: SupervisedTerminal, text: string): Promise<void>;
  /** With its agents, as `kill -9` does it. */
  killHost(): Promise<void>;
  until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void>;
}

/** How long a thing may take is long: a machine that does other things is not what is tested. Who tests that it comes to nothing says less. */
export const TIMING = {
  graceMs: 500,
  confirmMs: 30_000,
  actionMs: 30_000,
  considerMs: 100,
  leaseMs: 30_000,
  pollMs: 10,
} as const;
/** Long enough for a busy machine. */
const TYPING = { promptTimeoutMs: 60_000, echoTimeoutMs: 60_000, deliveryTimeoutMs: 60_000 } as const;
/** For agents that do not take what is typed. */
export const IMPATIENT_TYPING = { ...TYPING, deliveryTimeoutMs: 3_000 } as const;

/** A host, a store and a project for one test, with agents that are small real programs. */
export async function openWorld({ behaviour = '' } = {}): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-supervisor-')));
  const [project, home, hostFolder] = ['project', 'home', 'host'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [project, home]) mkdirSync(path);
  const backend = openSqliteBackend({ file: join(folder, 'state.db') });
  const store = openStore({ backend, clock: Date, newId: randomUUID });
  const notices: TerminalNotice[] = [];
  const open: SupervisedTerminal[] = [];
  onTestFinished(async () => {
    for (const terminal of open) await terminal.close();
    await endHost(hostFolder);
    await store.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const starts = (): readonly Start[] => {
    const file = join(home, 'starts.log');
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Start)
      : [];
  };
  const request = (changes: Partial<SuperviseRequest> = {}): SuperviseRequest => ({
    name: 'parser',
    driver: fixtureDriver,
    openHost: () => openHostIn({ folder: hostFolder }),
    store,
    by: 'test',
    place: {
      folder: project,
      home,
      env: { PATH: process.env.PATH, FIXTURE_HOME: home, FIXTURE_BEHAVIOUR: behaviour, TERM: 'xterm-256color' },
    },
    launch: { userArgs: ['--theirs', 'kept'], systemPrompt: 'BASE PROMPT' },
    privateFolder: join(folder, 'private'),
    size: { columns: 100, rows: 30 },
    sources: [fixtureSource()],
    clock: Date,
    newId: randomUUID,
    timing: TIMING,
    typing: TYPING,
    onNotice: (notice) => notices.push(notice),
    ...changes,
  });
  const until: World['until'] = (what, isTrue) =>
    untilTrue(isTrue, async () => {
      const events = await store.log.read({ limit: 100_000 });
      const told = events.slice(-20).map(({ type, data }) => `${type} ${JSON.stringify(data).slice(0, 160)}`);
      return `${what}\n${told.join('\n')}\n${JSON.stringify(notices.slice(-8), null, 1)}`;
    });
  const variable = `FIXTURE_HOME=${home}`;
  const transcripts = () =>
    readdirSync(home)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(home, name), 'utf8').split('\n'));
  const turnsEnded = () => transcripts().filter((line) => line.includes('"turn_duration"')).length;
  return {
    folder,
    project,
    store,
    notices,
    starts,
    // In a long test an ended process's number is reused after a while, e.g. by a child of the next one.
    running: () => starts().filter(({ pid, args }) => identifyProcess(pid) !== undefined && mayBe(pid, args)),
    leftovers: () => processesWith(variable),
    killHost: () => endHost(hostFolder),
    request,
    async supervise(changes) {
      const outcome = await superviseTerminal(request(changes));
      if (outcome.status !== 'supervised') throw new Error(JSON.stringify(outcome));
      open.push(outcome.terminal);
      return outcome.terminal;
    },
    prompts: () =>
      transcripts().flatMap((line) => {
        const content = line.includes('"type":"user"') ? JSON.parse(line).message.content : undefined;
        return typeof content === 'string' ? [content] : [];
      }),
    refused() {
      const file = join(home, 'refused.log');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    },
    async say(terminal, text) {
      const before = turnsEnded();
      await until(`idle before ${text}`, isIdle(terminal));
      const outcome = await terminal.send(text);
      if (outcome.kind !== 'delivered') throw new Error(`${text}: ${JSON.stringify(outcome)}`);
      await until(`the end of ${text}`, () => turnsEnded() > before);
      await until(`idle after ${text}`, isIdle(terminal));
    },
    until,
  };
}

export const isIdle = (terminal: SupervisedTerminal) => () => terminal.status().state?.activity === 'idle';

const environmentOf = (pid: number | string) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');

/** Whether this process was started with these arguments; `true` also if unknown. */
function mayBe(pid: number, args: readonly string[]): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith(`${['agent.mjs', ...args].join('\0')}\0`);
  } catch {
    return !existsSync('/proc/self/cmdline');
  }
}

/** Read from `/proc`; nothing where there is none. */
const processesWith = (variable: string): readonly string[] =>
  (existsSync('/proc') ? readdirSync('/proc') : []).flatMap((pid) => {
    try {
      const isOurs = environmentOf(pid).includes(variable);
      return isOurs ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      return []; // ended meanwhile, or no process
    }
  });
