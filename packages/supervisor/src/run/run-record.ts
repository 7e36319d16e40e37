import {
  addRunFact,
  createRunFold,
  type EventLog,
  type NewEvent,
  noRunFacts,
  type RunEvent,
  type RunFacts,
  runEventOf,
  runStream,
  type StoredEvent,
  type WorkflowRun,
} from '@devs/core';

/** What is stored of one run: its workflow, and what happened to it besides. Others write here too. */
export interface RunRecord {
  readonly facts: RunFacts;
  /** `undefined` where there is no such run. */
  readonly workflow: WorkflowRun | undefined;
  /** Takes in what is new. */
  read(): Promise<void>;
  append(event: RunEvent): Promise<void>;
  /**
   * Stores events that follow from the current state, again if another writer was faster; nothing if there are none.
   */
  decide(eventsOf: () => readonly NewEvent[]): Promise<void>;
}

const PAGE = 500;

export function openRunRecord(
  log: Pick<EventLog, 'read' | 'append'>,
  id: string,
  onEvent: (event: StoredEvent) => void,
): RunRecord {
  const stream = runStream(id);
  const fold = createRunFold();
  let facts = noRunFacts(id);
  let version = 0;
  let position = 0;
  /** One after the other: two that read at once would take everything in twice. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  const take = (events: readonly StoredEvent[]) => {
    for (const event of events) {
      fold.add([event]);
      facts = addRunFact(facts, event);
      version = event.version;
      position = event.position;
      onEvent(event);
    }
  };
  const read = async () => {
    for (;;) {
      const events = await log.read({ stream, after: position, limit: PAGE });
      take(events);
      if (events.length < PAGE) return;
    }
  };
  const decide = async (eventsOf: () => readonly NewEvent[]) => {
    for (;;) {
      const events = eventsOf();
      if (events.length === 0) return;
      const result = await log.append(stream, version, events);
      if (result.status === 'appended') return take(result.events);
      await read();
    }
  };
  return {
    get facts() {
      return facts;
    },
    get workflow() {
      return fold.run;
    },
    read: () => inTurn(read),
    append: (event) => inTurn(() => decide(() => [runEventOf(event)])),
    decide: (eventsOf) => inTurn(() => decide(eventsOf)),
  };
}
