/** What one agent process cost. What it states itself counts for more than the user's prices. All in US dollars. */
export interface CostAccount {
  /** Of the process so far, in its own words. */
  readonly statedUsd?: number;
  /** Of its model calls so far, each as stated or by price. */
  readonly pricedUsd?: number;
  /** Of that, what is in the record. */
  readonly storedUsd: number;
}

/** `storedUsd`: what an earlier supervisor has stored of this process, whose calls are not counted again. */
export const openAccount = (storedUsd = 0): CostAccount =>
  storedUsd === 0 ? { storedUsd } : { storedUsd, pricedUsd: storedUsd };

export const addPriced = (account: CostAccount, usd: number): CostAccount => ({
  ...account,
  pricedUsd: (account.pricedUsd ?? 0) + usd,
});

export const addStated = (account: CostAccount, statedUsd: number): CostAccount => ({ ...account, statedUsd });

/** What is not in the record yet; nothing where no cost is known. */
export function unstoredCost({ statedUsd, pricedUsd, storedUsd }: CostAccount): number | undefined {
  const known = statedUsd ?? pricedUsd;
  return known === undefined ? undefined : Math.max(0, known - storedUsd);
}

export const storedAccount = (account: CostAccount): CostAccount => ({
  ...account,
  storedUsd: account.storedUsd + (unstoredCost(account) ?? 0),
});
