import {
  addRunFact,
  createRunFold,
  createSerialQueue,
  type EventLog,
  type NewEvent,
  noRunFacts,
  type RunEvent,
  type RunFacts,
  runEventOf,
  runStream,
  type StoredEvent,
  StreamCursor,
  type WorkflowRun,
} from '@devs/core';

/** What is stored of one run: its workflow, and what happened to it besides. Others write here too. */
export interface RunRecord {
  readonly facts: RunFacts;
  /** `undefined` where there is no such run. */
  readonly workflow: WorkflowRun | undefined;
  /** How many events of it were taken in. */
  readonly version: number;
  /** Takes in what is new. */
  read(): Promise<void>;
  append(event: RunEvent): Promise<void>;
  /**
   * Stores events that follow from the current state, again if another writer was faster; nothing if there are none.
   */
  decide(eventsOf: () => readonly NewEvent[]): Promise<void>;
}

export function openRunRecord(
  log: Pick<EventLog, 'read' | 'append'>,
  id: string,
  onEvent: (event: StoredEvent) => void,
): RunRecord {
  const fold = createRunFold();
  const cursor = new StreamCursor(
    log,
    runStream(id),
    noRunFacts(id),
    (facts, event) => {
      fold.add([event]);
      return addRunFact(facts, event);
    },
    onEvent,
  );
  const inTurn = createSerialQueue(); // two that read at once would take everything in twice
  const decide = async (eventsOf: () => readonly NewEvent[]) => void (await cursor.decide(eventsOf));
  return {
    get facts() {
      return cursor.state;
    },
    get version() {
      return cursor.version;
    },
    get workflow() {
      return fold.run;
    },
    read: () => inTurn(async () => void (await cursor.read())),
    append: (event) => inTurn(() => decide(() => [runEventOf(event)])),
    decide: (eventsOf) => inTurn(() => decide(eventsOf)),
  };
}
