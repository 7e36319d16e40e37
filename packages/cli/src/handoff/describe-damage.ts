import type { TranscriptTally } from '@devs/core';

/** What of a transcript could not be understood, as sentences. */
export function describeDamage({
  damagedLines,
  overlongLines,
  unknownTypes,
}: TranscriptTally & { readonly overlongLines: number }): readonly string[] {
  const unknown = Object.entries(unknownTypes);
  return [
    ...(damagedLines > 0 ? [`${lines(damagedLines)} unreadable and left out.`] : []),
    ...(overlongLines > 0 ? [`${lines(overlongLines)} too long to be read and left out.`] : []),
    ...(unknown.length > 0
      ? [`kinds of lines that I do not know: ${unknown.map(([type, count]) => `${type} (${count})`).join(', ')}.`]
      : []),
  ];
}

const lines = (count: number) => (count === 1 ? 'one line is' : `${count} lines are`);
