import { assertNever } from '../assert-never.js';
import {
  SIGNAL_SOURCES,
  type SignalMeaning,
  type SignalSource,
  type TerminalObservation,
} from './terminal-observation.js';

/** `waiting` is for a permission or an answer: a person must act. It is never the same as `idle`. */
export type TerminalActivity = 'starting' | 'busy' | 'idle' | 'waiting' | 'exited';

export interface ActivityEvidence {
  readonly source: SignalSource | 'process' | 'background';
  readonly detail: string;
  readonly at: number;
}

/** Activity of one terminal: the conclusion, since when, and on what grounds. */
export interface TerminalState {
  readonly activity: TerminalActivity;
  readonly since: number;
  readonly evidence: ActivityEvidence;
  readonly signals: Readonly<Partial<Record<SignalSource, Signal>>>;
  readonly background: { readonly subAgents: number; readonly shells: number; readonly at: number };
}

interface Signal {
  readonly says: Exclude<SignalMeaning, 'unknown'>;
  readonly detail: string;
  /** Time of an event, or the time since when a continuous source says so. */
  readonly at: number;
}

/** The state of a terminal whose process was started at this time. */
export const startedTerminal = (at: number): TerminalState => ({
  activity: 'starting',
  since: at,
  evidence: { source: 'process', detail: 'the process was started', at },
  signals: {},
  background: { subAgents: 0, shells: 0, at },
});

/** Takes one more observation into account. Pure; nothing brings a process back that has exited but its next start. */
export function observeTerminal(state: TerminalState, observation: TerminalObservation): TerminalState {
  if (observation.type === 'terminal.spawned') return startedTerminal(observation.at);
  if (state.activity === 'exited') return state;
  switch (observation.type) {
    case 'terminal.exited':
      return conclude({ ...state, signals: {} }, observation.at, {
        activity: 'exited',
        evidence: { source: 'process', detail: describeExit(observation), at: observation.at },
      });
    case 'signal.seen':
      return judge({ ...state, signals: takeSignal(state.signals, observation) }, observation.at);
    case 'background.counted': {
      const { subAgents, shells, at } = observation;
      return judge({ ...state, background: { subAgents, shells, at } }, at);
    }
    default:
      return assertNever(observation);
  }
}

/** These tell what happens. The others show how it is, and showing it again is no news. */
const EVENT_SOURCES: ReadonlySet<SignalSource> = new Set(['hook', 'transcript']);

function takeSignal(
  signals: TerminalState['signals'],
  { source, says, detail, at }: Extract<TerminalObservation, { type: 'signal.seen' }>,
): TerminalState['signals'] {
  const { [source]: before, ...others } = signals;
  if (says === 'unknown') return others;
  const isNews = EVENT_SOURCES.has(source) || before?.says !== says;
  return { ...others, [source]: isNews ? { says, detail, at } : { ...before, detail } };
}

/** The signals decide; background work makes an idle agent busy, and a waiting agent keeps waiting. */
function judge(state: TerminalState, at: number): TerminalState {
  const decided = strongestSignal(state.signals);
  const { subAgents, shells } = state.background;
  if (decided?.activity !== 'waiting' && subAgents + shells > 0) {
    const detail = `${subAgents} sub-agents and ${shells} background shells are at work`;
    return conclude(state, at, {
      activity: 'busy',
      evidence: { source: 'background', detail, at: state.background.at },
    });
  }
  if (decided !== undefined) return conclude(state, at, decided);
  const before = state.evidence.source === 'process' ? state.evidence : undefined;
  return conclude(state, at, {
    activity: 'starting',
    evidence: before ?? { source: 'process', detail: 'no signal says more', at },
  });
}

/**
 * A status file is always current. Without one the newest *change* counts, because the other sources can each be
 * stale: no hook fires when a turn is interrupted, and a prompt is on the screen while the agent works.
 */
function strongestSignal(signals: TerminalState['signals']): Conclusion | undefined {
  const said = SIGNAL_SOURCES.flatMap((source) => {
    const signal = signals[source];
    return signal === undefined ? [] : [{ source, ...signal }];
  });
  const newestFirst = said.toSorted((a, b) => b.at - a.at); // stable: at the same time the more trusted comes first
  const [first] = said[0]?.source === 'status-file' ? said : newestFirst;
  if (first === undefined) return undefined;
  const decided = first.says === 'not-busy' ? (newestFirst.find(({ says }) => says !== 'not-busy') ?? first) : first;
  const waits = decided.says === 'waiting';
  const { source, detail, at } = waits ? decided : first;
  const evidence = { source, detail, at };
  return {
    activity: waits ? 'waiting' : first.says === 'not-busy' ? 'idle' : (first.says as TerminalActivity),
    evidence,
  };
}

type Conclusion = Pick<TerminalState, 'activity' | 'evidence'>;

const conclude = (state: TerminalState, at: number, { activity, evidence }: Conclusion): TerminalState => ({
  ...state,
  activity,
  evidence,
  since: activity === state.activity ? state.since : at,
});

const describeExit = ({ exitCode, signal }: { exitCode: number; signal?: number }) =>
  signal === undefined ? `exited with code ${exitCode}` : `ended by signal ${signal}`;
