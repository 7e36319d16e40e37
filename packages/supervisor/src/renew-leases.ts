import { type Clock, messageOf, type NamedLease, type Store, StoreReplacedError } from '@devs/core';
import type { HeldTask } from './supervision.js';

export interface LeaseKeeping {
  readonly leases: Store['leases'];
  readonly tasks: Store['tasks'];
  readonly lease: NamedLease;
  readonly task: HeldTask | undefined;
  readonly leaseMs: number;
  readonly clock: Clock;
  /** The terminal belongs to another supervisor now. Called once. */
  onLost(why: string): void;
  onTaskLost(): void;
}

export interface KeptLeases {
  /**
   * Whether the terminal is still exclusively ours. Asks the store if the term has run out, e.g. after the machine
   * slept.
   */
  isOurs(): Promise<boolean>;
  /** Keeps this task alive too, from now on. */
  hold(task: HeldTask): void;
  stop(): Promise<void>;
}

/** Renews the lease of a terminal, and of what it works on, until it is stopped. Keeps no process alive. */
export function renewLeases(keeping: LeaseKeeping): KeptLeases {
  const { leases, tasks, lease, leaseMs, clock } = keeping;
  let { task } = keeping;
  let { until } = lease;
  let stopped = false;
  let isTaskHeld = task !== undefined;
  /** Looks in a row at which the store has not answered. A machine that slept looks once. */
  let unanswered = 0;

  const renew = async () => {
    const asked = clock.now();
    let failure: unknown;
    const isOurs = await leases.renew({ name: lease.name, fence: lease.fence, leaseMs }).catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    unanswered = 0;
    if (stopped) return;
    if (isOurs === true) until = asked + leaseMs;
    else if (isOurs === false) lose('another supervisor has it now');
    else if (failure instanceof StoreReplacedError) lose(whyReplaced(failure));
    else if (clock.now() > until) lose(`the store could not be reached to keep it: ${withCauses(failure)}`);
    if (!isTaskHeld || task === undefined || stopped) return;
    const beat = await tasks.heartbeat({ ...task, leaseMs: TASK_LEASES * leaseMs }).catch(() => 'renewed');
    if (beat === 'lost' && !stopped) {
      isTaskHeld = false;
      keeping.onTaskLost();
    }
  };
  const lose = (why: string) => {
    stopped = true;
    clearInterval(timer);
    keeping.onLost(why);
  };
  const look = () => {
    unanswered += 1;
    if (unanswered > LOOKS_PER_TERM && clock.now() > until) return lose('the store does not answer');
    void renew();
  };
  const timer = setInterval(look, leaseMs / LOOKS_PER_TERM).unref();

  return {
    async isOurs() {
      if (!stopped && clock.now() > until) await renew();
      return !stopped && clock.now() <= until;
    },
    hold(next) {
      task = next;
      isTaskHeld = true;
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      await leases.release({ name: lease.name, fence: lease.fence }).catch(() => false); // it ends by itself
    },
  };
}

/** Final, unlike a store that does not answer: the new store knows nothing about the work. */
export const whyReplaced = ({ message }: StoreReplacedError): string =>
  `its records are gone, so the work is paused: ${message}`;

const LOOKS_PER_TERM = 3;

/** A task outlives the supervisor by some terms: the next one finds it still claimed. */
const TASK_LEASES = 3;

/** Such as a disk that is full, which is what its user has to know. */
function withCauses(error: unknown): string {
  const said: string[] = [];
  for (let next = error; next !== undefined && next !== null && said.length < MAX_CAUSES; ) {
    const text = messageOf(next);
    if (!said.some((before) => before.includes(text))) said.push(text);
    next = next instanceof Error ? next.cause : undefined;
  }
  return said.map((text) => text.replace(/\.$/, '')).join(': ');
}

const MAX_CAUSES = 5;
