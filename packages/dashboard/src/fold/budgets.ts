import type { CostRow, DayCost } from './cost-table.js';

/** A limit that the project has set, and how much of it is used. */
export interface BudgetView {
  readonly what: string;
  readonly limit: number;
  readonly used: number;
  readonly unit: 'usd' | 'tokens' | 'minutes';
}

interface Setting {
  readonly key: string;
  readonly value?: unknown;
}

const UNITS = ['usd', 'tokens', 'minutes'] as const;

/** The limits for a day with what today has used, and those for one run with what the largest run has used. Pure. */
export function budgetViews(
  settings: readonly Setting[],
  { rows, today }: { readonly rows: readonly CostRow[]; readonly today: DayCost | undefined },
): readonly BudgetView[] {
  const limitOf = (key: string): number | undefined => {
    const value = settings.find((setting) => setting.key === key)?.value;
    return typeof value === 'number' ? value : undefined;
  };
  return UNITS.flatMap((unit) => {
    const ofDay = limitOf(`budget.day.${unit}`);
    const ofRun = limitOf(`budget.${unit}`);
    const most = Math.max(0, ...rows.map((row) => usedBy(row, unit)));
    return [
      ...(ofDay === undefined ? [] : [{ what: 'Today, all runs', limit: ofDay, used: usedOn(today, unit), unit }]),
      ...(ofRun === undefined ? [] : [{ what: 'Largest run', limit: ofRun, used: most, unit }]),
    ];
  });
}

function usedBy(row: CostRow, unit: BudgetView['unit']): number {
  switch (unit) {
    case 'usd':
      return row.costUsd ?? 0;
    case 'tokens':
      return row.inputTokens + row.outputTokens;
    case 'minutes':
      return row.activeMs / 60_000;
  }
}

function usedOn(day: DayCost | undefined, unit: BudgetView['unit']): number {
  switch (unit) {
    case 'usd':
      return day?.costUsd ?? 0;
    case 'tokens':
      return day?.tokens ?? 0;
    case 'minutes':
      return (day?.activeMs ?? 0) / 60_000;
  }
}
