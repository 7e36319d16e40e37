import { createSerialQueue, type EventLog, newEvent, StreamCursor } from '@devs/core';
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

export function openTerminalRecord(log: Pick<EventLog, 'read' | 'append'>, name: string): TerminalRecord {
  const cursor = new StreamCursor(log, terminalStream(name), NO_FACTS, addTerminalFact);
  const inTurn = createSerialQueue(); // two that write at once would be in each other's way
  return {
    get facts() {
      return cursor.state;
    },
    read: () => inTurn(() => cursor.read()),
    append: (event) => inTurn(() => cursor.decide(() => [newEvent(event)])),
    note: (factOf) =>
      inTurn(async () => {
        const event = factOf(cursor.state);
        return event === undefined ? cursor.state : cursor.decide(() => [newEvent(event)]);
      }),
  };
}

/** The record of a terminal, read-only. */
export const readTerminalFacts = (log: Pick<EventLog, 'read' | 'append'>, name: string): Promise<TerminalFacts> =>
  openTerminalRecord(log, name).read();
