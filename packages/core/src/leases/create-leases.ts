import { StoreContendedError } from '../errors/store-errors.js';
import type { StoreDeps } from '../event-log/create-event-log.js';
import { checkStoredName, checkStream } from '../event-log/validate-event.js';
import type { HeldLease, LeaseOutcome, Leases, NamedLease } from '../ports/leases.js';
import type { LeaseRecord } from '../ports/store-backend.js';
import { redactText } from '../redaction/redact-text.js';
import { checkHolder, checkLease } from '../task-queue/validate-task.js';

/** Attempts at a change while other processes are faster. */
const MAX_TRIES = 100;
/** The end of a lease that was given back. Its record stays: the fences of a name never begin again. */
const RELEASED = 0;

/** The answer to the caller, and the lease to store first, if any. */
interface Decision<Answer> {
  readonly answer: Answer;
  readonly lease?: NamedLease;
}

/** Leases over any backend. Each change is decided on the stored lease, and stored only if that is unchanged. */
export function createLeases({ backend, clock, newId, isGone: asked = () => false }: StoreDeps): Leases {
  const isGone = backend.isShared === true ? () => false : asked;
  async function change<T>(
    name: string,
    decide: (record: LeaseRecord | undefined, now: number) => Decision<T>,
  ): Promise<T> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const record = await backend.loadLease(name);
      const { answer, lease } = decide(record, await backend.leaseTime(clock));
      if (lease === undefined) return answer;
      const { by, fence, until } = lease;
      const after = { name, by, fence, until, revision: newId() };
      if (await backend.swapLease({ expectedRevision: record?.revision, after })) return answer;
    }
    throw new StoreContendedError(`the lease ${name} was changed by others ${MAX_TRIES} times in a row; try again`);
  }

  const isLive = ({ by, until }: LeaseRecord, now: number) => until > now && !isGone(by);

  const moveEnd = ({ name, fence }: HeldLease, endOf: (now: number) => number) =>
    change(name, (record, now): Decision<boolean> => {
      if (record?.fence !== fence || record.until === RELEASED) return { answer: false };
      return { answer: true, lease: { ...record, until: endOf(now) } };
    });

  return {
    async acquire({ name, by, leaseMs }) {
      checkStoredName(name);
      checkHolder(by);
      checkLease(leaseMs);
      return change(name, (record, now): Decision<LeaseOutcome> => {
        if (record !== undefined && isLive(record, now))
          return { answer: { status: 'held', by: record.by, until: record.until } };
        const lease = { name, by: redactText(by), fence: (record?.fence ?? 0) + 1, until: now + leaseMs };
        return { answer: { status: 'acquired', lease }, lease };
      });
    },

    async renew({ leaseMs, ...held }) {
      checkStream(held.name);
      checkLease(leaseMs);
      return moveEnd(held, (now) => now + leaseMs);
    },

    async release(held) {
      checkStream(held.name);
      return moveEnd(held, () => RELEASED);
    },

    async get(name) {
      checkStream(name);
      const record = await backend.loadLease(name);
      if (record === undefined || !isLive(record, await backend.leaseTime(clock))) return undefined;
      const { by, fence, until } = record;
      return { name, by, fence, until };
    },
  };
}
