import type { TurnCost } from '@devs/core';
import { count, grouped } from '../words.js';

/** `2 model calls, about 1,234 tokens in, 567 out` */
export function describeCost({ calls, inputTokens, outputTokens, estimated }: TurnCost): string {
  const about = estimated ? 'about ' : '';
  return `${count(calls, 'model call')}, ${about}${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`;
}
