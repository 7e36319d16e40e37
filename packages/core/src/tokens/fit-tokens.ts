import { beginningOf } from '../text/cut-text.js';
import { estimateTokens } from './estimate-tokens.js';

const LEFT_OUT = '[… shortened]';
/** Where the budget has no room for more words. */
const LEFT_OUT_SHORT = '…';

/** The text where it fits the budget; else its beginning, cut at the end of a line or sentence, and a word about it. */
export function fitTokens(text: string, budgetTokens: number): string {
  if (estimateTokens(text) <= budgetTokens) return text;
  const room = budgetTokens - estimateTokens(`\n${LEFT_OUT}`);
  if (!(room >= 0)) return estimateTokens(LEFT_OUT_SHORT) <= budgetTokens ? LEFT_OUT_SHORT : '';
  const kept = beginningOf(text, longestFitting(text, room));
  return kept === '' ? LEFT_OUT : `${kept}\n${LEFT_OUT}`;
}

/** Found by halving: the estimate grows with the text. */
function longestFitting(text: string, tokens: number): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return low;
}
