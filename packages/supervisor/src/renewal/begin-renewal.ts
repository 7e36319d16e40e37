import { type AutoHandoffQuestion, maybeAutoHandoff, maybeContextRefresh, type RenewalCause } from '@devs/core';
import type { RenewalRefusal } from '../supervised-terminal.js';
import type { RenewalRecord } from './renewal-record.js';

export interface RenewalRequest {
  readonly cause: RenewalCause;
  readonly agentId: string;
  readonly taskId?: string;
  /** Whether the agent is asked for its own words. */
  readonly ask: boolean;
  /** The terminal's `autoHandoff`. The user's own wish is heard without it. */
  readonly autoHandoff: boolean;
  readonly isShuttingDown: boolean;
  /** The terminal's `mostRenewals`. */
  readonly most: number;
  /** How the agent ended, where that is why it is renewed. */
  readonly exit?: Pick<AutoHandoffQuestion, 'exitCode' | 'hasWorkLeft'>;
}

export interface RenewalDeps {
  readonly newId: () => string;
  readonly now: () => number;
}

export type RenewalBegun =
  | { readonly begun: true; readonly newAgentId: string; readonly refreshCount: number }
  | { readonly begun: false; readonly reason: RenewalRefusal };

/** Stores that a renewal begins, with the id that the new agent will have, unless a guard of seed 002 is against it. */
export async function beginRenewal(
  record: RenewalRecord,
  { cause, agentId, taskId, ask, autoHandoff, isShuttingDown, most, exit }: RenewalRequest,
  { newId, now }: RenewalDeps,
): Promise<RenewalBegun> {
  for (let state = await record.read(); ; ) {
    const question = { renewal: state, autoHandoff, isShuttingDown, isAskedFor: cause === 'asked for', most };
    const verdict = exit === undefined ? maybeContextRefresh(question) : maybeAutoHandoff({ ...question, ...exit });
    if (!verdict.refresh) return { begun: false, reason: verdict.reason };
    const newAgentId = newId();
    const stored = await record.append({
      type: 'renewal.started',
      cause,
      oldAgentId: agentId,
      newAgentId,
      ...(taskId !== undefined && { taskId }),
      ask,
      at: now(),
    });
    if (stored.status === 'stored') return { begun: true, newAgentId, refreshCount: verdict.refreshCount };
    state = stored.state;
  }
}
