import type { JsonObject } from '@devs/core';
import { z } from 'zod';

const Usage = z.object({
  maxTokens: z.number().positive(),
  autoCompactThreshold: z.number().positive().optional(),
  isAutoCompactEnabled: z.boolean().optional(),
});

/** Claude Code keeps so much free above the mark at which it compacts (measured in 2.1.325). */
const KEPT_FREE = 33_000;

/** The window that the agent itself goes by: a lower mark of its own makes it smaller. Pure. */
export function windowIn(answer: JsonObject | undefined): { readonly window: number } | undefined {
  const { data } = Usage.safeParse(answer);
  if (data === undefined) return undefined;
  const { maxTokens, autoCompactThreshold: mark, isAutoCompactEnabled: compacts } = data;
  return { window: mark === undefined || compacts === false ? maxTokens : Math.min(maxTokens, mark + KEPT_FREE) };
}
