import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunReport, StoredEvent } from '@devs/core';
import { openSqliteBackend } from '@devs/store';
import { onTestFinished } from 'vitest';
import { DEVS, type DevsRun, runDevs } from '../../__tests__/run-devs.js';

/** Two hundred worktrees take their time. */
const REMOVAL_MS = 120_000;
const EXAMPLES = fileURLToPath(new URL('../../../../../examples/', import.meta.url));

export const SAMPLE_SCENARIO = join(EXAMPLES, 'scenarios', 'sample-builtin.yaml');

/** The sample project in a repository of its own, with the built-in agent on the scripted model, and nothing else of this machine. */
export interface RunProject {
  readonly folder: string;
  /** `devs` without a terminal. */
  run(...args: readonly string[]): Promise<DevsRun>;
  /** The same, at work. */
  start(...args: readonly string[]): StartedDevs;
  /** The same from a shell with other variables. */
  startWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]): StartedDevs;
  /** Where the supervisor listens. */
  readonly apiSocket: string;
  report(): Promise<RunReport>;
  /** Whether its records hold an end, a pause or a question: a look costs nothing, unlike a report. */
  isAtRest(): Promise<boolean>;
  /** What its records hold behind a position. */
  events(after: number): Promise<readonly StoredEvent[]>;
  git(...args: readonly string[]): string;
  /** What the agents were told, by their own transcripts. */
  requests(): readonly string[];
  /** What runs here now, by what it is for. Linux only. */
  processes(): readonly RunProcess[];
}

export interface StartedDevs {
  /** The lines that it has printed so far. */
  readonly lines: readonly string[];
  readonly pid: number;
  readonly ended: Promise<DevsRun>;
}

export interface RunProcess {
  readonly pid: number;
  readonly kind: 'follower' | 'supervisor' | 'host' | 'agent' | 'mcp';
}

export interface RunProjectOptions {
  /** The user's own settings; those of the sample without it. */
  readonly config?: string;
  /** The answers of the model; those of the sample without it. */
  readonly scenario?: string;
  readonly workflows?: Readonly<Record<string, string>>;
  /** A bare repository as its `origin`, which a store in Redis needs. */
  readonly remote?: boolean;
}

export function openRunProject(options: RunProjectOptions = {}): RunProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devs-runs-')));
  const folder = join(root, 'durations');
  const env = { HOME: join(root, 'home'), XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') };
  const scenario = options.scenario ?? SAMPLE_SCENARIO;
  const withModel = ([command = '', ...args]: readonly string[]) =>
    command === 'run' ? [command, '--provider', 'scripted', '--scenario', scenario, ...args] : [command, ...args];
  const project: RunProject = {
    folder,
    run: (...args) => runDevs(withModel(args), { cwd: folder, env }),
    start: (...args) => startDevs(withModel(args), { cwd: folder, env: { ...process.env, ...env } }),
    startWith: (variables, ...args) =>
      startDevs(withModel(args), { cwd: folder, env: { ...process.env, ...env, ...variables } }),
    apiSocket: join(env.XDG_STATE_HOME, 'devs', 'supervisor', 'api.sock'),
    report: async () => JSON.parse((await project.run('report', '--json')).stdout) as RunReport,
    isAtRest: async () =>
      (await project.events(0)).some(({ type }) => ['run.finished', 'run.paused', 'escalation.raised'].includes(type)),
    events: (after) => readEvents(join(folder, '.devs', 'state.db'), after),
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=user', '-c', 'user.email=user@localhost', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }),
    requests: () => requestsBelow(root),
    processes: () => processesOf(env.XDG_STATE_HOME),
  };
  onTestFinished(() => {
    for (const { pid } of project.processes()) killProcess(pid);
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }, REMOVAL_MS);
  mkdirSync(env.HOME, { recursive: true });
  cpSync(join(EXAMPLES, 'sample-project'), folder, { recursive: true });
  project.git('init', '--quiet', '--initial-branch=main');
  project.git('add', '.');
  project.git('commit', '--quiet', '--message', 'Begin');
  if (options.remote === true) {
    project.git('init', '--quiet', '--bare', '--initial-branch=main', join(root, 'remote.git'));
    project.git('remote', 'add', 'origin', join(root, 'remote.git'));
  }
  mkdirSync(join(folder, '.devs', 'workflows'), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(options.workflows ?? {}))
    writeFileSync(join(folder, '.devs', 'workflows', `${name}.yaml`), text);
  const sample = 'agent: builtin\nchecks: [[npm, test]]\nmodel: { window: 30000 }\n';
  mkdirSync(join(env.XDG_CONFIG_HOME, 'devs'), { recursive: true });
  writeFileSync(join(env.XDG_CONFIG_HOME, 'devs', 'config.yaml'), options.config ?? sample);
  return project;
}

/** The real program, at work. */
export function startDevs(args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): StartedDevs {
  const child = spawn(process.execPath, [DEVS, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    get lines() {
      return stdout.split('\n').slice(0, -1);
    },
    pid: child.pid ?? 0,
    ended: new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))),
  };
}

async function readEvents(file: string, after: number): Promise<readonly StoredEvent[]> {
  if (!existsSync(file)) return [];
  const backend = openSqliteBackend({ file });
  try {
    return await backend.read({ after, limit: 10_000 });
  } finally {
    await backend.close();
  }
}

/** Known by the state folder in their environment, which no other process has. */
export function processesOf(stateFolder: string): readonly RunProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): RunProcess[] => {
      const environment = textOf(`/proc/${name}/environ`);
      if (!environment.includes(`XDG_STATE_HOME=${stateFolder}\0`)) return [];
      const kind = kindOf(textOf(`/proc/${name}/cmdline`).split('\0'));
      return kind === undefined ? [] : [{ pid: Number(name), kind }];
    });
}

function kindOf(words: readonly string[]): RunProcess['kind'] | undefined {
  if (words.some((word) => word.endsWith('/host/main.js'))) return 'host';
  const command = words[words.findIndex((word) => word.endsWith('devs.mjs')) + 1];
  if (command === '--supervise') return 'supervisor';
  if (command === 'run' || command === 'resume' || command === 'worker') return 'follower';
  return command === 'agent' || command === 'mcp' ? command : undefined;
}

/** From every transcript of the built-in agent below a folder. */
const requestsBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => textOf(join(root, name)).split('\n'))
    .filter((line) => line.includes('"type":"request"'))
    .flatMap((line) => {
      const { text } = JSON.parse(line) as { readonly text?: unknown };
      return typeof text === 'string' ? [text] : [];
    });

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // gone meanwhile, or of another user
  }
}

/** Whether it was still there: a process may end between the look at all of them and its kill. */
export function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
