import { count, grouped } from '@devs/cli/words';
import type { TurnCost } from '@devs/core';

/** `2 model calls, about 1,234 tokens in, 567 out` */
export function describeCost({ calls, inputTokens, outputTokens, estimated }: TurnCost): string {
  const about = estimated ? 'about ' : '';
  return `${count(calls, 'model call')}, ${about}${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`;
}
