import { count } from '@devs/cli/words';
import { JsonScanner } from '@devs/core';
import { describeLog } from './describe-log.js';
import type { Exchange } from './turn-account.js';

/** Whether the protocol considered the answer cut off. */
export const wasCutOff = ({ noticed }: Exchange): boolean =>
  noticed.some(
    (log) =>
      log.event === 'PARTIAL_COMPLETION_DETECTED' || (log.event === 'RESUME_TRIED' && log.outcome === 'extended'),
  );

/** What devs made of one answer, in sentences. */
export function describeExchange({ answer, noticed }: Exchange): readonly string[] {
  const sentences = noticed.flatMap(describeLog);
  if (sentences.length > 0 || answer === undefined) return sentences;
  // Nothing to report means that the answer was taken as it came.
  const around = charactersAround(answer.text);
  if (around === undefined) return [];
  return [
    around === 0
      ? 'A valid envelope.'
      : `A valid envelope, with ${count(around, 'character')} around it that are left out.`,
  ];
}

/** How much of an answer is not its JSON. */
function charactersAround(text: string): number | undefined {
  const scanner = new JsonScanner();
  scanner.write(text);
  const scan = scanner.end();
  return scan.status === 'complete' ? text.length - (scan.end - scan.start) : undefined;
}
