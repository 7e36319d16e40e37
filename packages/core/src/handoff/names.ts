/**
 * The names in a text that somebody may have to write again: paths, identifiers, commands with dashes, hosts, versions.
 * Ordinary words are none. Each once, in order.
 */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [found] of text.matchAll(NAME)) {
    const name = found.replace(TRAILING, '');
    if (name.length >= SHORTEST && name.length <= LONGEST && hasInnerStructure(name) && !isMeasure(name))
      names.add(name);
  }
  return names;
}

const NAME = /[A-Za-z0-9_][A-Za-z0-9_./-]{5,}/g;
const TRAILING = /[./-]+$/;
const SHORTEST = 6;
const LONGEST = 200;

/** `fooBar`, `foo_bar`, `foo/bar`, `foo.ts`, `v1.2.3`; not `foo`, `Foo`, `well-known`, `12345`. */
const hasInnerStructure = (name: string) =>
  (/[_/.]|[a-z][A-Z]|[A-Za-z][0-9]|[0-9][A-Za-z]/.test(name) && /[A-Za-z]/.test(name)) || /^\d+\.\d+\.\d+/.test(name);

/** Durations, sizes, times and addresses: nobody writes them again. */
const isMeasure = (name: string) =>
  /^(?:\d[\d._]*[A-Za-z]{0,3}|0x[0-9A-Fa-f]+|\d{4}-\d\d-\d\dT.*)$/.test(name) && !/^\d+\.\d+\.\d+$/.test(name);

/** `path`: has folders · `member`: of a library or value, as in `fmt.Printf`, which any agent can spell · `hash` · `plain` */
export function shapeOf(name: string): 'path' | 'member' | 'hash' | 'plain' {
  if (name.includes('/')) return 'path';
  if (/^[0-9a-f]{7,64}$/.test(name)) return 'hash';
  return /^[A-Za-z_][A-Za-z0-9_]*\.(?:[A-Z]|[a-z]+[A-Z])/.test(name) ? 'member' : 'plain';
}
