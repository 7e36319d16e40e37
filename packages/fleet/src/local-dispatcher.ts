import { type Dispatcher, hasLabels, type Ticket } from '@devs/core';
import { createSlots } from './slots.js';

/** How long a change of the tickets may stay unseen. */
const LOOK_MS = 100;

/**
 * Tickets in the memory of one process, for a store that one machine uses: its task queue is the truth, and a process
 * that ends forgets nothing else.
 */
export function createLocalDispatcher(now: () => number = performance.now.bind(performance)): Dispatcher {
  const waiting = new Map<string, Ticket>();
  const atWork = new Set<string>();
  const heldUntil = new Map<string, number>();

  const take = (labels: readonly string[]): Ticket | undefined => {
    const isFree = ({ task, needs }: Ticket) =>
      hasLabels(labels, needs) && !atWork.has(task) && (heldUntil.get(kindOf(needs)) ?? 0) <= now();
    const [first] = [...waiting.values()].filter(isFree).sort((a, b) => b.priority - a.priority);
    if (first !== undefined) waiting.delete(first.task);
    return first;
  };

  return {
    async issue(tickets) {
      for (const ticket of tickets) if (!atWork.has(ticket.task)) waiting.set(ticket.task, ticket);
    },
    async serve({ slots: count, labels }, work, signal) {
      const slots = createSlots(count);
      while (!signal.aborted) {
        const next = slots.isFull ? undefined : take(labels);
        if (next === undefined) {
          await slots.change(LOOK_MS, signal);
          continue;
        }
        atWork.add(next.task);
        slots.fill(() => work(next).finally(() => atWork.delete(next.task)));
      }
      await slots.empty();
    },
    async hold(needs, ms) {
      heldUntil.set(kindOf(needs), now() + ms);
    },
    close: async () => {},
  };
}

const kindOf = (needs: readonly string[]): string => needs.join('+');
