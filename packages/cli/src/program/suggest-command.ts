/** Less alike than this, and a suggestion would only puzzle. */
const MIN_SIMILARITY = 0.5;

/** The command that was most likely meant, as its path: `debug detect` for `detct`, and for a forgotten `debug`. */
export function suggestCommand(unknown: string, paths: readonly string[]): string | undefined {
  const ranked = paths
    .map((path) => ({
      path,
      similarity: Math.max(...[path, ...path.split(' ')].map((name) => similarity(unknown, name))),
    }))
    .sort((a, b) => b.similarity - a.similarity);
  const best = ranked[0];
  return best !== undefined && best.similarity >= MIN_SIMILARITY ? best.path : undefined;
}

const similarity = (a: string, b: string) => 1 - editDistance(a.toLowerCase(), b) / Math.max(a.length, b.length);

/** How many letters must be put in, left out, exchanged or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
