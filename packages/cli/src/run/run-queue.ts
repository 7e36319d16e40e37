import type { Store } from '@devs/core';
import type { QueueEnd } from '@devs/supervisor';
import type { OutputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { chooseStore, type StoreOptions, withStore } from '../store-access/with-store.js';
import { count } from '../words.js';
import type { NewQueueOrder } from './create-runs.js';
import { tellMerge } from './merge-run.js';
import { CALLS, ringBell } from './run-one.js';
import type { RunServices } from './run-services.js';
import { createRunView } from './run-view.js';

export interface QueueRun {
  readonly order: Omit<NewQueueOrder, 'store'>;
  /** The file of the project that the workflow is from, for people; missing for what ships with devs. */
  readonly from?: string;
  readonly mode: OutputMode;
  /** Does not follow it. */
  readonly detach?: boolean;
  readonly options: StoreOptions;
}

/** Takes the tasks of the queue, each in a run of its own, until none is left that can be begun. Gives the exit code. */
export function runQueue(queue: QueueRun, services: RunServices): Promise<number> {
  const { mode, options } = queue;
  const order = { ...queue.order, store: chooseStore(options, services) };
  return withStore(services, options, async ({ store }) => {
    if (queue.detach === true) {
      await services.runs.leaveQueue(order);
      services.print(
        mode === 'json' ? toJson({ queue: 'started' }) : 'The supervisor takes the tasks. See them with `devs ls`.',
      );
      return 0;
    }
    const { end, unmerged } = await follow(queue, { order, store }, services);
    services.print(mode === 'json' ? toJson({ end }) : describe(end).join('\n'));
    const undone = [end.failed, end.blocked, end.paused, end.left, unmerged].flat();
    return undone.length === 0 && end.why === undefined ? 0 : 1;
  });
}

async function follow(
  { from, mode }: QueueRun,
  { order, store }: { readonly order: NewQueueOrder; readonly store: Store },
  services: RunServices,
): Promise<{ readonly end: QueueEnd; readonly unmerged: readonly string[] }> {
  const unmerged: string[] = [];
  const end = await services.untilInterruptedTwice(async (signal, again) => {
    if (from !== undefined && mode === 'text') services.print(`Workflow from ${visible(from)}`);
    const view = createRunView(services, mode);
    const begunAt = services.clock.now();
    signal.addEventListener('abort', () => view.say(order.serves === true ? DRAINING : STOPPING), { once: true });
    try {
      return await services.runs.queue(order, {
        store,
        onEvent(event) {
          view.see(event);
          if (CALLS.has(event.type) && event.at >= begunAt) ringBell(order.settings, services);
        },
        onNotice: view.hear,
        onChange: view.changed,
        onSaid: view.say,
        onRun: view.add,
        onMerge(run, merge) {
          if (!merge.isMerged) unmerged.push(run);
          tellMerge(run, merge, { mode, label: `${run}: ` }, services);
        },
        signal,
        again,
      });
    } finally {
      view.end();
    }
  });
  return { end, unmerged };
}

const STOPPING = 'devs: stopping. Ctrl-C again stops at once.';
const DRAINING = 'devs: no more tasks are begun; those at work are finished. Ctrl-C again stops at once.';
const MAX_LEFT = 20;

function describe({ done, failed, blocked, paused, left, why }: QueueEnd): string[] {
  return [
    `${count(done.length, 'task')} done, ${failed.length} failed, ${blocked.length} blocked, ${paused.length} paused.`,
    ...blocked.map((task) => visible(`${task.taskId} needs you: ${task.why} (${task.advice})`)),
    ...left.slice(0, MAX_LEFT).map((task) => visible(`${task.taskId} was not started: ${task.why}`)),
    ...(left.length > MAX_LEFT ? [`${left.length - MAX_LEFT} more were not started; see \`devs task list\`.`] : []),
    ...(why === undefined ? [] : [visible(`No more were started: ${why}`)]),
    ...(paused.length > 0 ? ['Continue with `devs run --queue`.'] : []),
  ];
}
