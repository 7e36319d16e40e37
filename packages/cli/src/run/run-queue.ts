import type { RunPlan, RunStart, Settings, Store, TaskRecord } from '@devs/core';
import type { QueueEnd, RunHandle } from '@devs/supervisor';
import type { Services } from '../compose.js';
import type { OutputMode } from '../output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { chooseStore, type StoreOptions, withStore } from '../store-access/with-store.js';
import { count } from '../words.js';
import { mergeRun, removeMergedWorktree } from './merge-run.js';
import { callUser, tellEnd } from './run-one.js';
import { createRunView } from './run-view.js';

export interface QueueRun {
  /** The file of the project that the workflow is from, for people; missing for what ships with devs. */
  readonly from?: string;
  readonly workflow: Pick<RunStart, 'template' | 'source'>;
  readonly plan: Omit<RunPlan, 'request' | 'task'>;
  readonly agent: string;
  readonly settings: Settings;
  readonly trustsFolder: boolean;
  readonly mode: OutputMode;
  /** Whether the work of each task is brought to the user's branch when its checks pass. */
  readonly merge: boolean;
  readonly options: StoreOptions;
}

/** Takes the tasks of the queue, each in a run of its own, until none is left that can be begun. Gives the exit code. */
export function runQueue(queue: QueueRun, services: Services): Promise<number> {
  const { workflow, plan, agent, settings, mode, trustsFolder } = queue;
  return withStore(services, queue.options, async ({ store }) => {
    const merging = queue.merge ? mergeOneByOne(store, mode, services) : undefined;
    const end = await services.untilInterruptedTwice(async (signal, again) => {
      if (queue.from !== undefined && mode === 'text') services.print(`Workflow from ${visible(queue.from)}`);
      const view = createRunView(services, mode);
      const runs: RunHandle[] = [];
      const begunAt = services.clock.now();
      signal.addEventListener('abort', () => view.say('devs: stopping. Ctrl-C again stops at once.'), { once: true });
      again.addEventListener('abort', () => void Promise.allSettled(runs.map((run) => run.stop({ now: true }))), {
        once: true,
      });
      try {
        return await services.runs.queue({
          settings,
          agent,
          trustsFolder,
          store,
          location: chooseStore(queue.options, services),
          workflow,
          planFor: (task) => ({ ...plan, request: requestOf(task) }),
          onEvent(event) {
            view.see(event);
            if (event.type === 'escalation.raised' && event.at >= begunAt) callUser(event, settings, services);
          },
          onChange: view.changed,
          onRun(run) {
            runs.push(run);
            view.add(run);
            void run.done.then((ended) => tellEnd(run.id, ended, settings, services));
          },
          ...(merging === undefined ? {} : { afterDone: merging.add }),
          signal,
        });
      } finally {
        view.end();
      }
    });
    services.print(mode === 'json' ? toJson({ end }) : describe(end).join('\n'));
    await merging?.tidy();
    const undone = [end.failed, end.blocked, end.paused, end.left, merging?.failed ?? []].flat();
    return undone.length === 0 && end.why === undefined ? 0 : 1;
  });
}

/** Two merges at a time would meet in the user's folder. */
function mergeOneByOne(store: Store, mode: OutputMode, services: Services) {
  const merged: string[] = [];
  const failed: string[] = [];
  let last = Promise.resolve();
  const merge = async (id: string) => {
    const isMerged = await mergeRun(id, { store, mode, label: `${id}: ` }, services).catch((error: unknown) => {
      services.complain(`devs: not merged: ${visible(error instanceof Error ? error.message : String(error))}`);
      return false;
    });
    (isMerged ? merged : failed).push(id);
  };
  return {
    failed,
    add: (id: string): Promise<void> => {
      last = last.then(() => merge(id));
      return last;
    },
    /** At the end: a task that is just being begun may still begin at one of these branches. */
    async tidy() {
      for (const id of merged) await removeMergedWorktree(id, services);
    },
  };
}

const requestOf = ({ intent, description }: TaskRecord): string =>
  description === undefined ? intent : `${intent}\n\n${description}`;

const MOST_LEFT = 20;

function describe({ done, failed, blocked, paused, left, why }: QueueEnd): string[] {
  return [
    `${count(done.length, 'task')} done, ${failed.length} failed, ${blocked.length} blocked, ${paused.length} paused.`,
    ...blocked.map((task) => visible(`${task.taskId} needs you: ${task.why} (${task.advice})`)),
    ...left.slice(0, MOST_LEFT).map((task) => visible(`${task.taskId} was not begun: ${task.why}`)),
    ...(left.length > MOST_LEFT ? [`${left.length - MOST_LEFT} more were not begun; see \`devs task list\`.`] : []),
    ...(why === undefined ? [] : [visible(`No more were begun: ${why}`)]),
    ...(paused.length > 0 ? ['Go on with `devs run --queue`.'] : []),
  ];
}
