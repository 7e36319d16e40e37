import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, type RunSettings, runStream, type StoredEvent, type WorkflowTemplate } from '@devs/core';
import { onTestFinished } from 'vitest';
import { openWorld, type World } from '../../__tests__/world.js';
import type { RunEnd, RunHandle, RunParts, RunRequest, StartRunOutcome } from '../run.js';
import { startRun } from '../start-run.js';

/** Long enough for a busy machine; the tests of what devs does when they have passed take `IMPATIENT`. */
const RUN_TIMING = {
  graceMs: 300,
  confirmMs: 30_000,
  actionMs: 30_000,
  considerMs: 100,
  leaseMs: 30_000,
  pollMs: 10,
  lookMs: 60,
  idleMs: 250,
  unaskedMs: 20_000,
  waitingMs: 60_000,
  renewalMs: 10_000,
  lastWordsMs: 10_000,
  goneMs: 60_000,
  toolsMs: 60_000,
  hopelessToolsMs: 60_000,
  commandMs: 120_000,
} as const;

export const IMPATIENT = { unaskedMs: 3_000, waitingMs: 400, toolsMs: 1_500, hopelessToolsMs: 400 } as const;

interface StepScript {
  readonly id: string;
  readonly instructions: string;
  readonly context?: 'compact' | 'clear';
}

export interface RunWorld {
  readonly world: World;
  readonly parts: RunParts;
  template(steps: readonly StepScript[]): WorkflowTemplate;
  start(steps: readonly StepScript[], changes?: Partial<RunParts>, plan?: object): Promise<RunHandle>;
  resume(runId: string, changes?: Partial<RunParts>): Promise<RunHandle>;
  ended(run: RunHandle): Promise<RunEnd>;
  events(runId: string): Promise<readonly StoredEvent[]>;
  count(runId: string, type: string): Promise<number>;
  answer(run: RunHandle, text: string): Promise<void>;
  /** How its agents behave from now on, in the words of the fixture. */
  behave(words: string): void;
  git(...args: readonly string[]): string;
  /** The model calls of all agents, by their own records. */
  modelCalls(): number;
  /** How often the agents worked on each visit. */
  steps(): readonly string[];
}

export interface RunWorldOptions {
  readonly settings?: Partial<RunSettings>;
  readonly git?: boolean;
  readonly behaviour?: string;
  readonly timing?: Partial<RunParts['timing']>;
}

/** A project with a workflow, and agents that are small real programs. */
export async function openRunWorld({
  settings = {},
  git: hasGit = false,
  behaviour = '',
  timing = {},
}: RunWorldOptions = {}): Promise<RunWorld> {
  const world = await openWorld({ behaviour });
  const base = world.request();
  const file = join(world.folder, 'state.db');
  const env = {
    ...base.place.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: world.folder,
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      cwd: world.project,
      env,
      encoding: 'utf8',
    }).trim();
  if (hasGit) {
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@b');
    writeFileSync(join(world.project, 'README.md'), 'A project\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'First');
  }
  const stream = (path: string) => `worktree:w${path.slice(world.folder.length).replaceAll(/[^\w-]/g, '_')}`;
  const parts: RunParts = {
    driver: base.driver,
    store: world.store,
    openHost: base.openHost,
    place: { ...base.place, env },
    privateFolder: join(world.folder, 'private'),
    ...(base.sources === undefined ? {} : { sources: base.sources }),
    by: 'test',
    clock: Date,
    newId: base.newId,
    worktreeStream: stream,
    mcpServer: (path, report = '') => ({
      command: 'none',
      args: [],
      env: { FIXTURE_STORE: file, FIXTURE_STREAM: stream(path), FIXTURE_TOOLS: report },
    }),
    settings: { ...DEFAULT_SETTINGS, worktree: hasGit ? 'own' : 'here', copy: [], setup: [], checks: [], ...settings },
    timing: { ...RUN_TIMING, ...timing },
    ...(base.typing === undefined ? {} : { typing: base.typing }),
    onNotice: (notice) => world.notices.push(notice),
  };
  const template: RunWorld['template'] = (steps) => ({
    name: 'scripted',
    description: 'For tests',
    steps: steps.map((step) => ({ type: 'action', ...step })) as unknown as WorkflowTemplate['steps'],
  });
  const open: RunHandle[] = [];
  const taken = (outcome: StartRunOutcome): RunHandle => {
    if (outcome.status !== 'started') throw new Error(JSON.stringify(outcome));
    open.push(outcome.run);
    return outcome.run;
  };
  onTestFinished(async () => {
    for (const run of open) if (run.status().end === undefined) await run.stop({ now: true });
  });
  const read = (runId: string) => world.store.log.read({ stream: runStream(runId), limit: 100_000 });
  return {
    world,
    parts,
    template,
    start: async (steps, changes = {}, plan = {}) =>
      taken(
        await startRun({ ...parts, ...changes, ...newRun(template(steps), world.project, hasGit, plan) } as RunRequest),
      ),
    resume: async (runId, changes = {}) => taken(await startRun({ ...parts, ...changes, runId })),
    async ended(run) {
      let end: RunEnd | undefined;
      void run.done.then((how) => {
        end = how;
      });
      await world.until(
        `the end of ${run.id}, which is ${JSON.stringify(run.status().last.slice(-5))}`,
        () => end !== undefined,
      );
      return end as unknown as RunEnd;
    },
    events: read,
    count: async (runId, type) => (await read(runId)).filter((event) => event.type === type).length,
    async answer(run, text) {
      const { escalation } = run.status();
      if (escalation === undefined) throw new Error('nothing was asked');
      for (;;) {
        const version = await world.store.log.version(runStream(run.id));
        const data = { escalationId: escalation.id, answer: text };
        const done = await world.store.log.append(runStream(run.id), version, [{ type: 'escalation.answered', data }]);
        if (done.status === 'appended') return;
      }
    },
    behave: (words) => writeFileSync(join(world.folder, 'home', 'behaviour'), words),
    git,
    modelCalls() {
      const home = join(world.folder, 'home');
      const transcripts = readdirSync(home).filter((name) => name.endsWith('.jsonl'));
      return transcripts.flatMap((name) =>
        readFileSync(join(home, name), 'utf8')
          .split('\n')
          .filter((line) => line.includes('"type":"assistant"')),
      ).length;
    },
    steps() {
      const log = join(world.folder, 'home', 'steps.log');
      return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    },
  };
}

export const newRun = (template: object, folder: string, own: boolean, plan: object) => ({
  template,
  source: { path: 'scripted.yaml', digest: '0' },
  plan: {
    request: 'Write the parser\nIt reads words.',
    workflow: 'scripted',
    agent: 'fixture',
    place: own ? 'own' : 'here',
    folder,
    ...plan,
  },
});
