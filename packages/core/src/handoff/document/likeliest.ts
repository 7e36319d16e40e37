interface Worthy {
  readonly name: string;
  readonly worth: number;
}

/**
 * Those of the highest worth, the likeliest first; of two that are equal, by name.
 *
 * Only these are put in order: where the border is, plain numbers tell, which are sorted many times as fast as records.
 */
export function likeliest<Named extends Worthy>(all: readonly Named[], most: number): readonly Named[] {
  const inOrder = (a: Worthy, b: Worthy) => b.worth - a.worth || (a.name < b.name ? -1 : 1);
  if (all.length <= most) return [...all].sort(inOrder);
  const worths = Float64Array.from(all, ({ worth }) => worth).sort();
  const border = worths[worths.length - most] as number;
  return all
    .filter(({ worth }) => worth >= border)
    .sort(inOrder)
    .slice(0, most);
}
