/**
 * One line for each reason to skip, with the number of tests, the most frequent reason first. Pure.
 *
 * @param {readonly { title: string, reason: string }[]} skipped
 * @returns {string[]}
 */
export function tellSkipped(skipped) {
  /** @type {Map<string, string[]>} */
  const titles = new Map();
  for (const { title, reason } of skipped) titles.set(reason, [...(titles.get(reason) ?? []), title]);
  return [...titles]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, of]) =>
      of.length === 1 ? `skipped: ${of[0]}: ${reason}` : `skipped ${of.length} tests: ${reason}`,
    );
}
