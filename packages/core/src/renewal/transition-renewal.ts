import { CONTEXT_REFRESH_HANDOFF_TIMEOUT_MS } from './constants.js';
import type { BesideRenewal, HandoffEvent, RenewalEvent, RenewalStarted } from './renewal-event.js';
import { NEVER_RENEWED, type RenewalCounts, type RenewalState } from './renewal-state.js';

const SPAWN_ATTEMPTS = 2;

/** The state after all that is stored. */
export const foldRenewal = (events: Iterable<RenewalEvent | BesideRenewal>): RenewalState => {
  let state = NEVER_RENEWED;
  for (const event of events) state = transitionRenewal(state, event);
  return state;
};

/**
 * Pure: the state of the renewal after an event. An event of another phase changes nothing, so a second warning, a
 * late answer and an event stored twice are harmless.
 */
export function transitionRenewal(state: RenewalState, event: RenewalEvent | BesideRenewal): RenewalState {
  if (event.type === 'terminal.stopped' || event.type === 'restart.started') return cutOff(state);
  if (event.type === 'progress.made') return { ...state, inARow: 0 };
  if (event.type === 'agent.worked') return { ...state, hasWorked: true };
  if (event.type === 'renewal.abandoned') return canBeAbandoned(state) ? { ...countsOf(state), phase: 'idle' } : state;
  switch (state.phase) {
    case 'idle':
    case 'failed':
      return event.type === 'renewal.started' ? start(state, event) : state;
    case 'requesting-handoff':
      return isHandoff(event) ? documenting(state, event) : state;
    case 'documenting':
      if (event.type !== 'document.verified') return state;
      return { ...underway(state), phase: 'committing', document: event.document };
    case 'committing':
      if (event.type !== 'checkpoint.saved' && event.type !== 'checkpoint.skipped') return state;
      return { ...state, phase: 'ending' };
    case 'ending':
      return event.type === 'agent.ended' ? { ...state, phase: 'spawning', attempt: 1 } : state;
    case 'spawning':
      return spawned(state, event);
    case 'confirming':
      return event.type === 'takeover.confirmed' || event.type === 'takeover.missed' ? completed(state) : state;
    case 'releasing':
      if (event.type !== 'task.released') return state;
      return { ...countsOf(state), phase: 'failed', document: state.document, error: state.error };
  }
}

/** Nothing more is performed: its effects would now hit something else. */
function cutOff(state: RenewalState): RenewalState {
  if (state.phase === 'idle' || state.phase === 'failed') return state;
  return state.phase === 'confirming' ? completed(state) : { ...countsOf(state), phase: 'idle' };
}

/** As long as the old agent is there. */
const canBeAbandoned = ({ phase }: RenewalState): boolean =>
  phase === 'requesting-handoff' || phase === 'documenting' || phase === 'committing' || phase === 'ending';

type Phase<Name extends RenewalState['phase']> = Extract<RenewalState, { phase: Name }>;

function start(state: RenewalState, { cause, oldAgentId, newAgentId, taskId, ask, at }: RenewalStarted): RenewalState {
  const begun = {
    ...countsOf(state),
    cause,
    oldAgentId,
    newAgentId,
    ...(taskId !== undefined && { taskId }),
  };
  return ask
    ? { ...begun, phase: 'requesting-handoff', until: at + CONTEXT_REFRESH_HANDOFF_TIMEOUT_MS }
    : { ...begun, phase: 'documenting' };
}

const isHandoff = (event: RenewalEvent): event is HandoffEvent =>
  event.type === 'handoff.received' || event.type === 'handoff.missed';

function documenting(state: Phase<'requesting-handoff'>, event: HandoffEvent): RenewalState {
  const words = event.type === 'handoff.received' ? { words: event.text } : {};
  return { ...underway(state), phase: 'documenting', ...words };
}

function spawned(state: Phase<'spawning'>, event: RenewalEvent): RenewalState {
  const { document, attempt } = state;
  // A spawn by another renewal, or by hand, is not the promised one.
  if (event.type === 'agent.spawned' && event.agentId === state.newAgentId)
    return { ...underway(state), phase: 'confirming', document, hasWorked: false };
  if (event.type !== 'spawn.failed') return state;
  if (attempt < SPAWN_ATTEMPTS) return { ...state, attempt: attempt + 1 };
  if (state.taskId === undefined) return { ...countsOf(state), phase: 'failed', document, error: event.error };
  return { ...underway(state), phase: 'releasing', document, error: event.error };
}

/** A person who asks for a renewal knows what came of the last one: it is not counted. */
function completed({ completed: before, inARow, hasWorked, cause }: Phase<'confirming'>): RenewalState {
  return { phase: 'idle', completed: before + 1, inARow: cause === 'asked for' ? inARow : inARow + 1, hasWorked };
}

const countsOf = ({ completed, inARow, hasWorked }: RenewalCounts): RenewalCounts => ({
  completed,
  inARow,
  hasWorked,
});

const underway = (state: Exclude<RenewalState, { phase: 'idle' | 'failed' }>) => ({
  ...countsOf(state),
  cause: state.cause,
  oldAgentId: state.oldAgentId,
  newAgentId: state.newAgentId,
  ...(state.taskId !== undefined && { taskId: state.taskId }),
});
