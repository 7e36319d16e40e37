import type { AgentErrorKind } from '@devs/core';
import { errorKind } from '../held/error-kind.js';
import type { TurnResult } from './read-message.js';

export interface TurnTrouble {
  readonly kind: AgentErrorKind;
  readonly detail: string;
  /** It goes away by waiting. */
  readonly passes: boolean;
}

/** Why a turn got no answer; nothing where it got one. Pure. */
export function turnTrouble(result: TurnResult): TurnTrouble | undefined {
  const detail = (result.result || result.subtype).slice(0, 1_000);
  if (result.stop_reason === 'refusal') return { kind: 'policy', detail, passes: false };
  if (!result.is_error || isInterrupted(result)) return undefined;
  const kind = kindOfStatus(result.api_error_status ?? undefined, detail);
  return { kind, detail, passes: kind === 'quota' || kind === 'overload' };
}

export const isInterrupted = ({ terminal_reason: reason }: TurnResult): boolean =>
  reason === 'aborted_streaming' || reason === 'aborted_tools';

function kindOfStatus(status: number | undefined, detail: string): AgentErrorKind {
  const said = errorKind(new Error(detail)).kind;
  if (said === 'overflow') return 'overflow';
  switch (status) {
    case undefined:
    case 400:
      return said;
    case 401:
    case 403:
      return 'login';
    case 404:
      return 'model';
    case 413:
      return 'overflow';
    case 429:
      return 'quota';
    default:
      return status >= 500 ? 'overload' : said;
  }
}
