import type { PressureMark, RenewalState, StepContextAction, TerminalHistory, TerminalSignals } from '@devs/core';
import type { TerminalFacts } from '../record/terminal-facts.js';
import type { ObservedAgent } from './observed-agent.js';

export interface KnownOfTerminal {
  readonly now: number;
  /** `undefined` where no process is followed. */
  readonly seen: ObservedAgent | undefined;
  readonly facts: TerminalFacts;
  readonly isAttended: boolean;
  /** Whether it is open now, or was recently. */
  readonly isAttached: boolean;
  readonly hasWorkLeft: boolean;
  /** After this the provider has forgotten the prompt. */
  readonly cacheMs: number;
  readonly contextAction?: StepContextAction;
  readonly fullSince?: number | undefined;
  readonly specsChanged: boolean;
  readonly remindsByTyping: boolean;
}

/** What was observed of a terminal, in the words of the policy. Pure. */
export function signalsOf(known: KnownOfTerminal): TerminalSignals {
  const { now, seen, facts } = known;
  const exit = facts.agent?.exit;
  const { limit, failure, compactedSinceLedger, tools } = seen ?? {};
  return {
    now,
    state: exit !== undefined || seen === undefined ? 'exited' : seen.state.activity,
    attended: known.isAttended,
    hasLeft: known.isAttended && !known.isAttached,
    ...fullnessOf(known),
    ...(known.fullSince === undefined ? {} : { fullSince: known.fullSince }),
    isBetweenTools: tools?.wereUsed === true && tools.open.size === 0,
    compactedSinceLedger: compactedSinceLedger ?? false,
    ...(known.contextAction === undefined ? {} : { contextAction: known.contextAction }),
    ...(known.remindsByTyping
      ? { reminder: { turnsSinceLast: seen?.turnsSinceReminder ?? 0, specsChanged: known.specsChanged } }
      : {}),
    ...(exit === undefined || exit.kind === 'ended'
      ? {}
      : {
          exit: {
            kind: exit.kind === 'clean' ? ('clean' as const) : ('crashed' as const),
            ...(exit.kind === 'lost' ? { diedWithHost: true } : {}),
            // An agent that died at work, while it waited for the provider, or unseen has work left.
            hasWorkLeft:
              known.hasWorkLeft ||
              facts.parkedUntil !== undefined ||
              exit.kind === 'lost' ||
              (exit.kind === 'crashed' && exit.wasBusy === true),
          },
        }),
    ...(limit === undefined ? {} : { limit }),
    ...(failure === undefined ? {} : { failure: { kind: failure.kind, detail: failure.detail } }),
  };
}

/** What says that a renewal is due. */
export function fullnessOf({ now, seen, cacheMs }: Pick<KnownOfTerminal, 'now' | 'seen' | 'cacheMs'>) {
  const { usage, lastTurnAt, boundary, compactions = 0 } = seen ?? {};
  return {
    ...(usage === undefined ? {} : { usage }),
    atBoundary: boundary !== undefined,
    cacheIsCold: lastTurnAt !== undefined && now - lastTurnAt > cacheMs,
    compactions,
  };
}

/** What was done about it before, from the record. Pure. */
export const historyOf = (facts: TerminalFacts, renewal: RenewalState, toldOf: PressureMark): TerminalHistory => ({
  renewals: renewal,
  resumesInARow: facts.resumesInARow,
  parksInARow: facts.parksInARow,
  toldOf,
  wentBack: facts.wentBack === true,
});
