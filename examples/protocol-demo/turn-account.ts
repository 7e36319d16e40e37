import type { LogEvent } from '@devs/core';
import type { Ending, ShowEvent } from './show-event.js';

/** One question, its answer, and what the protocol logged about it before the next question. */
export interface Exchange {
  readonly prompt: string;
  readonly answer?: { readonly text: string; readonly stopReason?: string };
  readonly noticed: readonly LogEvent[];
}

/** Everything that happened in one turn. */
export interface TurnAccount {
  readonly turn: number;
  readonly title: string;
  readonly exchanges: readonly Exchange[];
  readonly reinjected: boolean;
  readonly ending?: Ending;
  readonly problems: readonly string[];
}

/** Pure: the accounts of all turns so far and the next event give the accounts. */
export function foldAccounts(accounts: readonly TurnAccount[], event: ShowEvent): readonly TurnAccount[] {
  if (event.type === 'turn.started') {
    const { turn, title } = event;
    return [...accounts, { turn, title, exchanges: [], reinjected: false, problems: [] }];
  }
  const current = accounts.at(-1);
  return current === undefined ? accounts : [...accounts.slice(0, -1), continueAccount(current, event)];
}

function continueAccount(account: TurnAccount, event: ShowEvent): TurnAccount {
  switch (event.type) {
    case 'model.asked':
      return { ...account, exchanges: [...account.exchanges, { prompt: event.prompt, noticed: [] }] };
    case 'model.answered': {
      const { text, stopReason } = event;
      const answer = { text, ...(stopReason !== undefined && { stopReason }) };
      return changeLast(account, (exchange) => ({ ...exchange, answer }));
    }
    case 'protocol.logged':
      return changeLast(account, (exchange) => ({ ...exchange, noticed: [...exchange.noticed, event.log] }));
    case 'summaries.requested':
      return { ...account, reinjected: true };
    case 'turn.ended':
      return { ...account, ending: event.ending };
    case 'turn.checked':
      return { ...account, problems: event.problems };
    default:
      return account;
  }
}

function changeLast(account: TurnAccount, change: (exchange: Exchange) => Exchange): TurnAccount {
  const last = account.exchanges.at(-1);
  if (last === undefined) return account;
  return { ...account, exchanges: [...account.exchanges.slice(0, -1), change(last)] };
}
