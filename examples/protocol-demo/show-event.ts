import type { LogEvent, SaopEnvelope, TurnCall, TurnCost } from '@devs/core';
import type { Totals } from './totals.js';

/** What happens in the show, in order. `--json` prints these; the account in the terminal is folded from them. */
export type ShowEvent =
  | { readonly type: 'show.started'; readonly turns: number; readonly threshold: number }
  | { readonly type: 'turn.started'; readonly turn: number; readonly title: string }
  | { readonly type: 'model.asked'; readonly turn: number; readonly prompt: string }
  | { readonly type: 'model.answered'; readonly turn: number; readonly text: string; readonly stopReason?: string }
  | { readonly type: 'protocol.logged'; readonly turn: number; readonly log: LogEvent }
  | { readonly type: 'summaries.requested'; readonly turn: number }
  | { readonly type: 'turn.ended'; readonly turn: number; readonly ending: Ending }
  | { readonly type: 'turn.checked'; readonly turn: number; readonly problems: readonly string[] }
  | { readonly type: 'show.completed'; readonly totals: Totals; readonly problems: readonly string[] };

/** `TurnOutcome` as data that survives `JSON.stringify`, and the third way in which a turn can end. */
export type Ending =
  | { readonly state: 'COMPLETED'; readonly envelope: SaopEnvelope; readonly cost: TurnCost }
  | { readonly state: 'USER_ESCALATION'; readonly diagnosis: Diagnosis }
  | { readonly state: 'REJECTED'; readonly error: string };

interface Diagnosis {
  readonly reason: string;
  readonly summary: string;
  readonly calls: readonly TurnCall[];
  readonly cost: TurnCost;
  readonly error: string;
}

/** Contract: must not throw; called synchronously, in the order in which things happen. */
export type Report = (event: ShowEvent) => void;
