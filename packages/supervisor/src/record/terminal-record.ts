import type { EventLog, JsonObject, NewEvent } from '@devs/core';
import { terminalStream } from '../renewal/renewal-record.js';
import type { TerminalEvent } from './terminal-event.js';
import { addTerminalFact, NO_FACTS, type TerminalFacts } from './terminal-facts.js';

/** What is stored of one terminal, as its supervisor sees it. */
export interface TerminalRecord {
  /** As far as it was read. */
  readonly facts: TerminalFacts;
  /** Takes in what is new. */
  read(): Promise<TerminalFacts>;
  /**
   * Stores what happens, and resolves when it is safe. Its supervisor is the only one who writes here, by its lease, so what
   * came in between is its own and does not matter.
   */
  append(event: TerminalEvent): Promise<TerminalFacts>;
  /** Stores what follows from the facts as they are when its turn has come; nothing where nothing does. */
  note(factOf: (facts: TerminalFacts) => TerminalEvent | undefined): Promise<TerminalFacts>;
}

const PAGE = 500;

export function openTerminalRecord(log: Pick<EventLog, 'read' | 'append'>, name: string): TerminalRecord {
  const stream = terminalStream(name);
  let facts = NO_FACTS;
  let version = 0;
  let position = 0;
  /** One after the other: two that write at once would be in each other's way. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  const read = async () => {
    for (;;) {
      const events = await log.read({ stream, after: position, limit: PAGE });
      for (const event of events) {
        facts = addTerminalFact(facts, event);
        version = event.version;
        position = event.position;
      }
      if (events.length < PAGE) return facts;
    }
  };

  const append = async (event: TerminalEvent) => {
    for (;;) {
      const result = await log.append(stream, version, [asNewEvent(event)]);
      if (result.status === 'conflict') {
        await read();
        continue;
      }
      for (const stored of result.events) facts = addTerminalFact(facts, stored);
      version = result.version;
      position = result.position;
      return facts;
    }
  };

  return {
    get facts() {
      return facts;
    },
    read: () => inTurn(read),
    append: (event) => inTurn(() => append(event)),
    note: (factOf) =>
      inTurn(async () => {
        const event = factOf(facts);
        return event === undefined ? facts : append(event);
      }),
  };
}

/** The record of a terminal, read-only. */
export const readTerminalFacts = (log: Pick<EventLog, 'read' | 'append'>, name: string): Promise<TerminalFacts> =>
  openTerminalRecord(log, name).read();

const asNewEvent = ({ type, ...data }: TerminalEvent): NewEvent => ({ type, data: data as unknown as JsonObject });
