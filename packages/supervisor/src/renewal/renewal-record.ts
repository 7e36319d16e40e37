import {
  type BesideRenewal,
  type EventLog,
  type JsonObject,
  NEVER_RENEWED,
  type NewEvent,
  type RenewalEvent,
  type RenewalState,
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

const PAGE = 500;

export function createRenewalRecord(log: Pick<EventLog, 'read' | 'append'>, terminalId: string): RenewalRecord {
  const stream = terminalStream(terminalId);
  let state: RenewalState = NEVER_RENEWED;
  let version = 0;
  let position = 0;

  async function read(): Promise<RenewalState> {
    for (;;) {
      const events = await log.read({ stream, after: position, limit: PAGE });
      for (const event of events) {
        // Other things happen to a terminal, too; the machine passes over what is none of its own.
        state = transitionRenewal(state, asRenewalEvent(event));
        version = event.version;
        position = event.position;
      }
      if (events.length < PAGE) return state;
    }
  }

  return {
    get state() {
      return state;
    },
    read,
    async append(event) {
      for (;;) {
        const result = await log.append(stream, version, [asNewEvent(event)]);
        if (result.status === 'conflict') {
          const before = state;
          await read();
          if (isSameStep(before, state)) continue; // something else happened to the terminal
          return { status: 'overtaken', state };
        }
        // As it was stored: a secret in it was replaced.
        for (const stored of result.events) state = transitionRenewal(state, asRenewalEvent(stored));
        version = result.version;
        position = result.position;
        return { status: 'stored', state };
      }
    },
  };
}

/** Whether the same effect is due in both, so that its outcome holds for either. */
const isSameStep = (a: RenewalState, b: RenewalState): boolean =>
  JSON.stringify({ ...a, ...NO_COUNTS }) === JSON.stringify({ ...b, ...NO_COUNTS });

const NO_COUNTS = { inARow: 0, hasWorked: true };

const asNewEvent = ({ type, ...data }: RenewalEvent): NewEvent => ({ type, data: data as unknown as JsonObject });

const asRenewalEvent = ({ type, data }: NewEvent): RenewalEvent | BesideRenewal =>
  ({ ...data, type }) as unknown as RenewalEvent | BesideRenewal;
