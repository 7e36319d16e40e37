import {
  addRunFact,
  createRunFold,
  foldTask,
  noRunFacts,
  type RunFacts,
  type RunFold,
  runIdOf,
  type StoredEvent,
  type TaskRecord,
  taskIdOf,
  type WorkflowRun,
} from '@devs/core/folds';

/** One run at a position of the log. */
export interface RunState {
  readonly id: string;
  readonly facts: RunFacts;
  readonly events: readonly StoredEvent[];
  /** Missing for a foreign history. */
  readonly workflow?: WorkflowRun;
}

/** A project at a position of its log: `fold(events ≤ position)`. */
export interface ProjectState {
  readonly root: string;
  readonly position: number;
  /** When the event at this position was stored. */
  readonly at?: number;
  readonly runs: ReadonlyMap<string, RunState>;
  readonly tasks: ReadonlyMap<string, TaskRecord>;
  /** The events of each terminal, by its name. */
  readonly terminals: ReadonlyMap<string, readonly StoredEvent[]>;
}

/** Grows with the log. */
export interface ProjectFold {
  readonly events: readonly StoredEvent[];
  /** How it is now. The same value until something is added. */
  readonly state: ProjectState;
  /** How it was then. */
  stateAt(position: number): ProjectState;
  /** Events in order, and how far the log was read with them. */
  add(events: readonly StoredEvent[], position: number): void;
}

/** A stream that grows; `shown` is how it was last told. */
interface Growing<Shown> {
  readonly events: StoredEvent[];
  shown?: Shown | undefined;
}

interface GrowingRun extends Growing<RunState> {
  facts: RunFacts;
  fold: RunFold | undefined;
}

export function createProjectFold(root: string): ProjectFold {
  const all: StoredEvent[] = [];
  const runs = new Map<string, GrowingRun>();
  const terminals = new Map<string, Growing<readonly StoredEvent[]>>();
  const tasks = new Map<string, TaskRecord>();
  let position = 0;
  let state: ProjectState | undefined;

  const take = (event: StoredEvent) => {
    if (event.position <= position) return; // told twice
    position = event.position;
    all.push(event);
    const run = runIdOf(event.stream);
    const terminal = terminalOf(event.stream);
    if (run !== undefined) addToRun(runs, run, event);
    else if (terminal !== undefined) addToTerminal(terminals, terminal, event);
    else if (taskIdOf(event.stream) !== undefined) foldTask(tasks, event);
  };
  const fold: ProjectFold = {
    events: all,
    get state() {
      const at = all.at(-1)?.at;
      state ??= {
        root,
        position,
        ...(at === undefined ? {} : { at }),
        runs: shownOf(runs, showRun),
        tasks: new Map(tasks),
        terminals: shownOf(terminals, ({ events }) => [...events]),
      };
      return state;
    },
    stateAt(wanted) {
      if (wanted >= position) return fold.state;
      const past = createProjectFold(root);
      const end = all.findIndex((event) => event.position > wanted);
      past.add(end === -1 ? all : all.slice(0, end), wanted);
      return past.state;
    },
    add(events, upTo) {
      events.forEach(take);
      position = Math.max(position, upTo);
      state = undefined;
    },
  };
  return fold;
}

const TERMINAL = 'terminal:';
const terminalOf = (stream: string): string | undefined =>
  stream.startsWith(TERMINAL) ? stream.slice(TERMINAL.length) : undefined;

function addToRun(runs: Map<string, GrowingRun>, id: string, event: StoredEvent): void {
  const run = runs.get(id) ?? { events: [], facts: noRunFacts(id), fold: createRunFold() };
  run.events.push(event);
  run.facts = addRunFact(run.facts, event);
  run.shown = undefined;
  try {
    run.fold?.add([event]);
  } catch {
    run.fold = undefined; // a history that devs has not written has no workflow; everything else of it is shown
  }
  runs.set(id, run);
}

function addToTerminal(
  terminals: Map<string, Growing<readonly StoredEvent[]>>,
  name: string,
  event: StoredEvent,
): void {
  const terminal = terminals.get(name) ?? { events: [] };
  terminal.events.push(event);
  terminal.shown = undefined;
  terminals.set(name, terminal);
}

const showRun = ({ events, facts, fold }: GrowingRun): RunState => ({
  id: facts.id,
  facts,
  events: [...events],
  ...(fold?.run === undefined ? {} : { workflow: fold.run }),
});

/** What has not changed is the same value as before. */
function shownOf<Kind extends Growing<Shown>, Shown>(
  all: ReadonlyMap<string, Kind>,
  show: (one: Kind) => Shown,
): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>();
  for (const [name, one] of all) {
    one.shown ??= show(one);
    shown.set(name, one.shown);
  }
  return shown;
}
