import type { TurnCost } from '@devs/core';
import type { TurnAccount } from './turn-account.js';

/** What all turns came to. */
export type Totals = { readonly turns: number; readonly reinjectedOn: readonly number[] } & Readonly<
  Record<Path, number>
> &
  TurnCost;

export function totalsOf(accounts: readonly TurnAccount[]): Totals {
  const howMany = (path: Path) => accounts.filter((account) => pathOf(account) === path).length;
  return {
    turns: accounts.length,
    straight: howMany('straight'),
    resumed: howMany('resumed'),
    corrected: howMany('corrected'),
    escalated: howMany('escalated'),
    rejected: howMany('rejected'),
    reinjectedOn: accounts.filter(({ reinjected }) => reinjected).map(({ turn }) => turn),
    ...totalCost(accounts),
  };
}

/** How a turn got to its end. */
export type Path = 'straight' | 'resumed' | 'corrected' | 'escalated' | 'rejected';

export function pathOf({ ending, exchanges }: TurnAccount): Path {
  if (ending?.state === 'USER_ESCALATION') return 'escalated';
  if (ending?.state !== 'COMPLETED') return 'rejected';
  const logged = new Set(exchanges.flatMap(({ noticed }) => noticed.map(({ event }) => event)));
  if (logged.has('RESUME_SUCCEEDED')) return 'resumed';
  return logged.has('CORRECTION_SUCCEEDED') ? 'corrected' : 'straight';
}

const NO_COST: TurnCost = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false };

export function costOf({ ending }: TurnAccount): TurnCost {
  if (ending === undefined || ending.state === 'REJECTED') return NO_COST;
  return ending.state === 'COMPLETED' ? ending.cost : ending.diagnosis.cost;
}

const totalCost = (accounts: readonly TurnAccount[]): TurnCost =>
  accounts.map(costOf).reduce(
    (sum, cost) => ({
      calls: sum.calls + cost.calls,
      inputTokens: sum.inputTokens + cost.inputTokens,
      outputTokens: sum.outputTokens + cost.outputTokens,
      estimated: sum.estimated || cost.estimated,
    }),
    NO_COST,
  );
