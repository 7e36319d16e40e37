import { deepEqual, equal } from 'node:assert/strict';
import type { Dispatcher, Machine, Ticket } from '../ports/dispatcher.js';
import { until } from './until.js';

/** For a proof: a dispatcher without tickets. */
export interface DispatcherWorld {
  readonly dispatcher: Dispatcher;
  /** Until the end of the proof. */
  serve(machine: Machine, work: (ticket: Ticket) => Promise<void>): Promise<void>;
  readonly stop: AbortController;
}

export type DispatcherProof = (world: DispatcherWorld) => Promise<void>;

/** Closes the dispatcher after the proof. */
export async function proveDispatcher(proof: DispatcherProof, dispatcher: Dispatcher): Promise<void> {
  const stop = new AbortController();
  const ends: Promise<void>[] = [];
  const serve: DispatcherWorld['serve'] = (machine, work) => {
    const end = dispatcher.serve(machine, work, stop.signal);
    ends.push(end);
    return end;
  };
  try {
    await proof({ dispatcher, serve, stop });
  } finally {
    stop.abort();
    await Promise.all(ends);
    await dispatcher.close();
  }
}

const ticket = (task: string, needs: readonly string[] = [], priority = 0): Ticket => ({ task, needs, priority });
const machine = (name: string, labels: readonly string[] = [], slots = 1): Machine => ({ name, labels, slots });

/** What every dispatcher must do. */
export const dispatcherContract: Readonly<Record<string, DispatcherProof>> = {
  async 'hands out every ticket'({ dispatcher, serve }) {
    const seen = new Set<string>();
    void serve(machine('ant'), async ({ task }) => void seen.add(task));
    await dispatcher.issue([ticket('a'), ticket('b')]);
    await dispatcher.issue([ticket('c')]);
    await until(() => seen.size === 3);
    deepEqual([...seen].sort(), ['a', 'b', 'c']);
  },

  async 'hands out a ticket again that is issued after it was worked off'({ dispatcher, serve }) {
    let times = 0;
    void serve(machine('ant'), async () => void times++);
    await dispatcher.issue([ticket('a')]);
    await until(() => times === 1);
    await until(async () => {
      await dispatcher.issue([ticket('a')]);
      return times === 2;
    });
  },

  async 'issues no second ticket of a task while the first is worked on'({ dispatcher, serve }) {
    const seen: string[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    void serve(machine('ant', [], 3), async ({ task }) => {
      seen.push(task);
      if (task === 'a') await finished;
    });
    await dispatcher.issue([ticket('a')]);
    await until(() => seen.includes('a'));
    await dispatcher.issue([ticket('a')]);
    await dispatcher.issue([ticket('b')]);
    await until(() => seen.includes('b'));
    deepEqual(seen, ['a', 'b']);
    finish();
  },

  async 'gives a ticket only to a machine with the labels that it needs'({ dispatcher, serve }) {
    const [onAnt, onBee]: [string[], string[]] = [[], []];
    void serve(machine('ant', ['mac']), async ({ task }) => void onAnt.push(task));
    await dispatcher.issue([ticket('a', ['gpu', 'mac']), ticket('b', ['mac'])]);
    await until(() => onAnt.includes('b'));
    void serve(machine('bee', ['gpu', 'mac', 'big']), async ({ task }) => void onBee.push(task));
    await until(() => onBee.includes('a'));
    deepEqual(onAnt, ['b']);
  },

  async 'fills the slots of a machine, and no more'({ dispatcher, serve }) {
    let [atWork, most] = [0, 0];
    const waiting: (() => void)[] = [];
    let done = 0;
    void serve(machine('ant', ['gpu'], 2), async () => {
      most = Math.max(most, ++atWork);
      await new Promise<void>((resolve) => waiting.push(resolve));
      atWork--;
      done++;
    });
    await dispatcher.issue([ticket('a'), ticket('b', ['gpu']), ticket('c'), ticket('d', ['gpu'])]);
    await until(() => atWork === 2);
    await until(() => {
      waiting.shift()?.();
      return done === 4;
    });
    equal(most, 2);
  },

  async 'hands out the highest priority first'({ dispatcher, serve }) {
    const seen: string[] = [];
    await dispatcher.issue([ticket('low', [], -5), ticket('high', [], 7), ticket('usual')]);
    void serve(machine('ant'), async ({ task }) => void seen.push(task));
    await until(() => seen.length === 3);
    deepEqual(seen, ['high', 'usual', 'low']);
  },

  async 'holds tickets of one kind for every machine'({ dispatcher, serve }) {
    const seen: string[] = [];
    const heldUntil = performance.now() + 1_400; // before the hold is asked for, and shorter
    await dispatcher.hold(['gpu'], 1_500);
    let early = false;
    void serve(machine('ant', ['gpu']), async ({ task }) => {
      if (task === 'a' && performance.now() < heldUntil) early = true;
      seen.push(task);
    });
    await dispatcher.issue([ticket('a', ['gpu']), ticket('b')]);
    await until(() => seen.length === 2);
    equal(early, false);
  },

  async 'waits for the work at hand when it is told to stop, and begins no more'({ dispatcher, serve, stop }) {
    const seen: string[] = [];
    let finish = () => {};
    const end = serve(machine('ant'), async ({ task }) => {
      seen.push(task);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      seen.push(`${task} done`);
    });
    await dispatcher.issue([ticket('a'), ticket('b')]);
    await until(() => seen.length === 1);
    stop.abort();
    finish();
    await end;
    deepEqual(seen, [seen[0], `${seen[0]} done`]);
  },
};
