import type { JsonObject } from '@devs/core';

/**
 * What the conversation had cost before this process, in US dollars: a resumed one continues its total, and `get_session_cost` says it
 * only in words (measured, 2.1.325). Pure.
 */
export function costIn(answer: JsonObject | undefined): number {
  const text = typeof answer?.text === 'string' ? answer.text : '';
  const said = /^Total cost:\s+\$(\d+(?:\.\d+)?)$/m.exec(text)?.[1];
  return said === undefined ? 0 : Number(said);
}
