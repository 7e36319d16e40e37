import {
  type BesideRenewal,
  type EventLog,
  eventOf,
  NEVER_RENEWED,
  newEvent,
  type RenewalEvent,
  type RenewalState,
  StreamCursor,
  transitionRenewal,
} from '@devs/core';

/** The renewals of one terminal, as all processes see them. */
export interface RenewalRecord {
  /** As far as it was read. */
  readonly state: RenewalState;
  /** After everything that is stored was taken in. */
  read(): Promise<RenewalState>;
  /** Stores an event decided on the last read state. `overtaken`: another writer was faster; read again. */
  append(event: RenewalEvent): Promise<{ readonly status: 'stored' | 'overtaken'; readonly state: RenewalState }>;
}

export const terminalStream = (terminalId: string): string => `terminal:${terminalId}`;

export function createRenewalRecord(log: Pick<EventLog, 'read' | 'append'>, terminalId: string): RenewalRecord {
  // Other things happen to a terminal, too; the machine passes over what is none of its own.
  const cursor = new StreamCursor<RenewalState>(log, terminalStream(terminalId), NEVER_RENEWED, (state, stored) =>
    transitionRenewal(state, eventOf<RenewalEvent | BesideRenewal>(stored)),
  );
  return {
    get state() {
      return cursor.state;
    },
    read: () => cursor.read(),
    async append(event) {
      for (;;) {
        if (await cursor.append([newEvent(event)])) return { status: 'stored', state: cursor.state };
        const before = cursor.state;
        if (!isSameStep(before, await cursor.read())) return { status: 'overtaken', state: cursor.state };
      }
    },
  };
}

/** Whether the same effect is due in both, so that its outcome holds for either. */
const isSameStep = (a: RenewalState, b: RenewalState): boolean =>
  JSON.stringify({ ...a, ...NO_COUNTS }) === JSON.stringify({ ...b, ...NO_COUNTS });

const NO_COUNTS = { inARow: 0, hasWorked: true };
