import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoredEvent } from '@devs/core';
import { rounds } from '@devs/core/testing';
import { openSqliteBackend } from '@devs/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunProject } from './run-project.js';
import { openSmallProject } from './small-work.js';

/** 200 in `.ci/soak`. */
const TASKS = rounds(4);
/** Each takes far longer beside a neighbour. */
const TASKS_BESIDE_A_NEIGHBOUR = Math.min(16, rounds(2));
const MINUTE = 60_000;
/** Enough to find what went wrong with one task of many. */
const SHOWN_CHARS = 300_000;

interface Queues {
  readonly project: RunProject;
  readonly ids: readonly string[];
  /** Two queues of four, to their ends. */
  work(): Promise<string>;
}

async function openQueues(tasks: number): Promise<Queues> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-queues-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const list = join(folder, 'tasks.json');
  const ids = Array.from({ length: tasks }, (_, index) => `t${String(index + 1).padStart(3, '0')}`);
  writeFileSync(list, JSON.stringify(ids.map((id) => ({ id, intent: `Write the file of ${id}` }))));
  const project = openSmallProject();
  await project.run('config', '--trust');
  await project.run('task', 'import', list);
  const queue = () => project.start('run', '--queue', '--parallel', '4');
  return {
    project,
    ids,
    async work() {
      const ended = await Promise.all([queue().ended, queue().ended]);
      return ended.map(({ stdout, stderr }) => stdout.slice(-SHOWN_CHARS) + stderr).join('\n');
    },
  };
}

/** How often each of them was begun, done and finished, and how often each of its steps; and what is not done, and still runs. */
async function countIn({ project, ids }: Queues) {
  const backend = openSqliteBackend({ file: join(project.folder, '.devs', 'state.db') });
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await backend.read({ after: events.at(-1)?.position ?? 0, limit: 1_000 });
    events.push(...page);
    if (page.length < 1_000) break;
  }
  const { tasks } = await backend.listTasks({ limit: 1_000 });
  await backend.close();
  const times = (type: string) => events.filter((event) => event.type === type).length;
  const twice = (streams: readonly string[]) => streams.length - new Set(streams).size;
  const streamsOf = (type: string) => events.filter((event) => event.type === type).map(({ stream }) => stream);
  return {
    done: tasks.filter(({ status }) => status === 'done').length,
    notDone: tasks.filter(({ status }) => status !== 'done').map(({ id, status, reason }) => ({ id, status, reason })),
    completed: ids.filter((id) => streamsOf('task.completed').includes(`task:${id}`)).length,
    doneTwice: twice(streamsOf('task.completed')) + twice(streamsOf('run.finished')),
    runs: times('run.prepared'),
    steps: times('step.completed'),
    commits: Number(project.git('rev-list', '--count', '--branches=devs/*', '--not', 'main')),
    left: project.processes().filter(({ kind }) => kind !== 'host' && kind !== 'supervisor').length,
  };
}

/** Another program that commits to the store 40 ms at a time, without a pause. */
async function startRestlessNeighbour({ project }: Queues) {
  const program = new URL('../../../../store/src/sqlite/__tests__/programs/hold-a-write.mjs', import.meta.url);
  const file = join(project.folder, '.devs', 'state.db');
  const child = spawn(process.execPath, [fileURLToPath(program), file, '40', 'Infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  });
  await once(child.stdout, 'data');
  return child;
}

describe.skipIf(process.platform !== 'linux')('two queues of four in one repository', () => {
  it(
    `[R1] do each of ${TASKS} tasks once, block none, and leave nothing running`,
    async () => {
      const queues = await openQueues(TASKS);
      const said = await queues.work();
      const counts = await countIn(queues);
      tell('two queues', counts);
      expect(counts, said).toEqual(allDoneOnce(TASKS));
    },
    10 * MINUTE + TASKS * MINUTE,
  );

  it(
    `[R1] do so beside a program that writes to their store all the time (${TASKS_BESIDE_A_NEIGHBOUR} tasks)`,
    async () => {
      const queues = await openQueues(TASKS_BESIDE_A_NEIGHBOUR);
      const neighbour = await startRestlessNeighbour(queues);
      const said = await queues.work();
      expect(neighbour.exitCode).toBeNull();
      neighbour.kill();
      const counts = await countIn(queues);
      tell('two queues beside a neighbour', counts);
      expect(counts, said).toEqual(allDoneOnce(TASKS_BESIDE_A_NEIGHBOUR));
    },
    10 * MINUTE + TASKS_BESIDE_A_NEIGHBOUR * MINUTE,
  );
});

const allDoneOnce = (tasks: number) => ({
  done: tasks,
  notDone: [],
  completed: tasks,
  doneTwice: 0,
  runs: tasks,
  steps: 2 * tasks,
  commits: tasks,
  left: 0,
});

/** In a soak people want to see the numbers, also where all is well. */
function tell(what: string, counts: object): void {
  if (process.env.DEVS_ROUNDS_FACTOR !== undefined) process.stderr.write(`${what}: ${JSON.stringify(counts)}\n`);
}
