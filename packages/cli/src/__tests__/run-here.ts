import { fileURLToPath } from 'node:url';
import { createManualClock, createMemoryBackend, createMemoryDisk, type MemoryDisk } from '@devs/core/testing';
import type { Composed } from '../compose.js';
import { createInterruption } from '../interruption.js';
import { run } from '../program/run-cli.js';
import type { Runs } from '../run/create-runs.js';
import { plainPalette } from '../screen/palette.js';
import type { Records } from '../store-access/create-records.js';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import type { Terminals } from '../terminal/create-terminals.js';
import { createMemoryAgreements } from '../trust/__tests__/memory-agreements.js';

const SHIPPED = fileURLToPath(new URL('../../../../workflows', import.meta.url));
export const ROOT = '/home/anna/shop';

/** Nothing runs, no agent is installed. */
export const noTerminals: Terminals = {
  seat: async () => ({ kind: 'outside' }),
  start: () => Promise.reject(new Error('no terminal')),
  attach: () => Promise.reject(new Error('no terminal')),
  resume: () => Promise.reject(new Error('no terminal')),
  send: () => Promise.reject(new Error('no terminal')),
  interrupt: () => Promise.reject(new Error('no terminal')),
  stop: () => Promise.reject(new Error('no terminal')),
  renew: () => Promise.reject(new Error('no terminal')),
  undoRenewal: () => Promise.reject(new Error('no terminal')),
  list: async () => [],
  holdingsOf: async () => ({ ended: [], running: [] }),
  purge: async () => {},
  examine: async () => ({
    agents: [],
    host: { kind: 'none', folder: '/nowhere' },
    settingsFile: '/nowhere',
    problems: [],
  }),
};

/** Only the agent that comes with devs is there, and nothing can be begun. */
export const noRuns: Runs = {
  inspect: async () => [
    { agent: 'claude', inspection: { kind: 'unusable', reason: 'it is not installed', advice: 'Install it' } },
    { agent: 'builtin', inspection: { kind: 'installed', command: 'devs agent', version: '1.2.3', tried: true } },
  ],
  start: () => Promise.reject(new Error('no run')),
  queue: () => Promise.reject(new Error('no queue')),
  leaveQueue: () => Promise.reject(new Error('no queue')),
  placeOf: async () => ({ folder: ROOT }),
  merge: () => Promise.reject(new Error('no git')),
  dropWork: async () => false,
  diff: () => Promise.reject(new Error('no git')),
  worktrees: async () => [],
  removeWorktree: () => Promise.reject(new Error('no git')),
  askToStop: async () => false,
};

/** None runs, and none can be started. */
const noSupervisor: SupervisorLink = {
  use: () => Promise.reject(new Error('no supervisor')),
  once: () => Promise.reject(new Error('no supervisor')),
  ask: async () => undefined,
  call: () => Promise.reject(new Error('no supervisor')),
  continueLeft: async () => {},
  heldTerminals: async () => undefined,
  ownTerminal: async () => undefined,
  close() {},
};

/** A user's world without a process: input, output, and stores in memory. */
export function createWorld(changes: Partial<Composed> = {}) {
  const clock = createManualClock();
  const disks = new Map<string, MemoryDisk>();
  const saved = new Map<string, unknown>();
  const files = new Map<string, string>();
  const { untilInterrupted, untilInterruptedTwice, interrupt } = createInterruption();
  let ids = 0;

  const keyOf = (location: Parameters<Records['open']>[0]) => {
    if (location.kind === 'project') return `${ROOT}/.devs/state.db`;
    return location.kind === 'sqlite' ? location.file : location.url;
  };
  const records: Records = {
    here: async () => ({ root: ROOT, file: `${ROOT}/.devs/state.db` }),
    projects: async () => [...disks.keys()].map((file) => ({ root: file.replace('/.devs/state.db', ''), file })),
    async open(location, how) {
      const key = keyOf(location);
      if (how === 'existing' && !disks.has(key)) return undefined;
      const disk = disks.get(key) ?? createMemoryDisk();
      disks.set(key, disk);
      return createMemoryBackend(disk);
    },
    warnings: async (location) =>
      location.kind === 'redis' ? ['appendfsync is everysec: the last second can be lost'] : [],
    sessionState: (file) => ({ save: async (state) => void saved.set(file, state) }),
    addressOf: async (url) => url,
    holdingsOf: async (location) => [...disks.keys()].filter((name) => name === keyOf(location)),
    purge: async (location) => void disks.delete(keyOf(location)),
  };

  const agreements = createMemoryAgreements();

  /** Runs the program with these arguments: its exit code and its output. */
  async function devs(argv: readonly string[], own: Partial<Composed> = {}) {
    let stdout = '';
    let stderr = '';
    const exitCode = await run(argv, {
      version: '1.2.3',
      travel: {
        sayBase: async () => ({ outcome: 'no-remote' }),
        reach: async () => ({ outcome: 'answers', where: 'git.example:shop', mayBePublic: false }),
      },
      screen: { columns: 80, palette: plainPalette },
      isTerminal: false,
      print: (text) => {
        stdout += `${text}\n`;
      },
      warn: (text) => {
        stderr += `${text}\n`;
      },
      readText: async (path) => files.get(path ?? '-') ?? '{}',
      readLines: async function* (path) {
        yield* (files.get(path) ?? '').split('\n');
      },
      async writeLines(path, lines) {
        let text = '';
        while (true) {
          const { done, value } = await lines.next();
          if (done) {
            if (path === undefined) stdout += text;
            else files.set(path, text);
            return value;
          }
          text += `${value}\n`;
        }
      },
      confirm: async () => 'cannot-ask',
      pick: async () => undefined,
      untilInterrupted,
      untilInterruptedTwice,
      live: undefined,
      clock,
      newId: () => `commit-${++ids}`,
      isGone: () => false,
      timeZone: 'UTC',
      holderName: 'user@here (1)',
      userName: 'anna',
      storeSetting: undefined,
      records,
      settingsFiles: {
        paths: async () => ({ user: '/home/anna/.config/devs/config.yaml', project: `${ROOT}/.devs/config.yaml` }),
        read: async () => {
          const text = files.get(`${ROOT}/.devs/config.yaml`);
          return { layers: text === undefined ? [] : [{ where: '.devs/config.yaml', text }] };
        },
      },
      agreements,
      storeGate: { join: async () => false },
      project: {
        look: async () => ({
          root: ROOT,
          isRepository: true,
          hasCommit: true,
          specs: {},
          setup: [['npm', 'ci']],
          checks: [['npm', 'test']],
          allow: ['npm test', 'git status', 'git add', 'git commit'],
          ownFiles: ['.env'],
        }),
        describe: async () => ({ name: 'shop', description: 'Sells things' }),
        exists: async (path) => files.has(`${ROOT}/${path}`),
        async write({ path, text }) {
          if (files.has(`${ROOT}/${path}`)) return false;
          files.set(`${ROOT}/${path}`, text);
          return true;
        },
      },
      shippedWorkflows: SHIPPED,
      workflowFiles: {
        find: async () => [],
        read: () => Promise.reject(new Error('no file')),
        waiting: async () => undefined,
        make: () => Promise.reject(new Error('no folder')),
      },
      serveWorkflow: () => Promise.reject(new Error('no client')),
      recall: () => Promise.reject(new Error('no conversations')),
      conversations: {
        open: () => Promise.reject(new Error('no conversations')),
        look: () => Promise.reject(new Error('no conversations')),
        keep: () => Promise.reject(new Error('no folder')),
        read: () => Promise.reject(new Error('no transcript')),
        kept: async () => [],
        forget: () => Promise.reject(new Error('no folder')),
      },
      answerHook: () => Promise.reject(new Error('no agent')),
      hookCommand: (agent) => ({ file: '/usr/bin/node', args: ['/opt/devs/bin/devs.mjs', 'hook', agent] }),
      serveModel: () => Promise.reject(new Error('no server')),
      runBuiltinAgent: () => Promise.reject(new Error('no agent')),
      runAcpAgent: () => Promise.reject(new Error('no agent')),
      holdCodex: () => Promise.reject(new Error('no agent')),
      runStreamAgent: () => Promise.reject(new Error('no agent')),
      findSandbox: async () => ({ kind: 'bubblewrap', program: '/usr/bin/bwrap' }),
      terminals: noTerminals,
      runs: noRuns,
      supervisor: noSupervisor,
      page: { makeLink: () => Promise.reject(new Error('no page')), openBrowser: () => false },
      superviseHere: () => Promise.reject(new Error('no supervisor')),
      runIn: () => Promise.reject(new Error('no other folder')),
      runProgram: () => Promise.reject(new Error('no program')),
      checkout: { loadScriptedModel: () => Promise.reject(new Error('no model')), protocolDemo: '/demo/main.js' },
      servicePlace: { platform: 'linux', home: '/home/anna', env: {}, devsCommand: ['node', 'devs.mjs'] },
      ...changes,
      ...own,
    });
    return { exitCode, stdout, stderr };
  }

  /** The same for a command that is expected to work: what it printed, or as JSON what it said. */
  async function done(...argv: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await devs(argv);
    if (exitCode !== 0) throw new Error(`devs ${argv.join(' ')} gave ${exitCode}: ${stderr}`);
    return stdout;
  }
  const json = async (...argv: readonly string[]) => JSON.parse(await done(...argv, '--json'));

  return { devs, done, json, records, agreements, clock, disks, files, saved, interrupt };
}
