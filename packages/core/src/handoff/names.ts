/**
 * The names in a text that may have to be written again: paths, identifiers, commands with dashes, hosts, versions.
 * Ordinary words are none. Each once, in order.
 *
 * A regular expression finds candidates, which is quick from the start; they are then parsed character by character.
 */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  CANDIDATE.lastIndex = 0;
  for (let match = CANDIDATE.exec(text); match !== null; match = CANDIDATE.exec(text)) {
    if (!STRUCTURED.test(match[0])) continue;
    const after = CANDIDATE.lastIndex;
    addName(names, text, match.index, after);
    CANDIDATE.lastIndex = after; // a name may have been looked into
  }
  return names;
}

/** A run of the characters of names that is long enough, from its first letter, digit or underscore on. */
const CANDIDATE = /\w[\w./-]{5,}/g;
/** What no name does without, and no word has. */
const STRUCTURED = /[_./]|[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]/;

/** The name in a run, where it is one. */
function addName(names: Set<string>, text: string, start: number, after: number): void {
  const first = classAt(text, start);
  let before = first;
  let seen = first;
  let pending = 0; // dots, slashes and dashes belong to a name only if it continues after them
  let end = start + 1;
  for (let at = end; at < after; at++) {
    const here = classAt(text, at);
    if ((here & WORD) === 0) pending |= here;
    else {
      seen |= here | pending;
      if (here !== before) seen |= JOINTS[(before << 4) | here] ?? 0;
      pending = 0;
      end = at + 1;
    }
    before = here;
  }
  if (end - start < SHORTEST || end - start > LONGEST || (seen & STRUCTURE) === 0) return;
  const name = text.slice(start, end);
  if (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) {
    // The letter belongs to the escape: `\\tshadowCommit` is a tab and a name.
    for (const own of namesIn(name.slice(1))) names.add(own);
  } else if ((first & DIGIT) === 0 ? (seen & LETTER) !== 0 : isNumberedName(name, seen)) {
    names.add(start > 0 ? `${leadOf(text, start, name)}${name}` : name);
  }
}

/** What a path begins with besides a word: `/etc/…`, `~/.kube/…`, `../lib/…`, `.github/…`, `@scope/…`. Not `./`, which says nothing. */
function leadOf(text: string, start: number, name: string): string {
  if (!isLeading(text.charCodeAt(start - 1))) return '';
  let at = start - 1;
  while (at > 0 && start - at < LONGEST_LEAD && isLeading(text.charCodeAt(at - 1))) at -= 1;
  if (at > 0 && !/[\s"'`=(,:[]/.test(text[at - 1] as string)) return '';
  const lead = text.slice(at, start).replace(/^(?:\.\/)+/, '');
  const isPath = name.includes('/') ? /^(?:\/\.?|~\/\.?|(?:\.\.\/)+\.?|\.|@)$/ : /^(?:~\/\.?|(?:\.\.\/)+)$/;
  return isPath.test(lead) ? lead : '';
}

const LONGEST_LEAD = 12;
/** One of `./~@`. */
const isLeading = (code: number) => code === 0x2e || code === 0x2f || code === 0x7e || code === 0x40;

const BACKSLASH = 0x5c;
const SHORTEST = 6;
const LONGEST = 200;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const UNDERSCORE = 8;
const DOT = 16;
const SLASH = 32;
const DASH = 64;
/** `fooBar`, `v1`, `2nd`: where words and numbers meet without anything between them. */
const JOINT = 128;

const LETTER = LOWER | UPPER;
const WORD = LETTER | DIGIT | UNDERSCORE;
/** `fooBar`, `foo_bar`, `foo/bar`, `foo.ts`, `v1.2.3`; not `foo`, `Foo`, `well-known`, `12345`. */
const STRUCTURE = UNDERSCORE | DOT | SLASH | JOINT;

const CLASSES = new Uint8Array(128);
const classify = (characters: string, kind: number) => {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = kind;
};
classify('abcdefghijklmnopqrstuvwxyz', LOWER);
classify('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER);
classify('0123456789', DIGIT);
classify('_', UNDERSCORE);
classify('.', DOT);
classify('/', SLASH);
classify('-', DASH);

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (CLASSES[code] as number) : 0;
}

/** By the classes of two neighbours; those of dots and slashes are too large to be found. */
const JOINTS = new Uint8Array(2048);
for (const [left, right] of [
  [LOWER, UPPER],
  [LOWER, DIGIT],
  [UPPER, DIGIT],
  [DIGIT, LOWER],
  [DIGIT, UPPER],
] as const) {
  JOINTS[(left << 4) | right] = JOINT;
}

/**
 * A name with a leading digit is a version, a hash or a file; durations, sizes, times and addresses are never needed
 * again.
 */
function isNumberedName(name: string, seen: number): boolean {
  if (/^\d+\.\d+\.\d+$/.test(name)) return true;
  if ((seen & LETTER) === 0 && !/^\d+\.\d+\.\d+/.test(name)) return false;
  return !/^(?:\d[\d._]*[A-Za-z]{0,3}|0x[0-9A-Fa-f]+|\d{4}-\d\d-\d\dT.*)$/.test(name);
}

/** `path`: has folders · `member`: of a library or value, as in `fmt.Printf`, which any agent can spell · `hash` · `plain` */
export function shapeOf(name: string): 'path' | 'member' | 'hash' | 'plain' {
  if (name.includes('/')) return 'path';
  if (/^[0-9a-f]{7,64}$/.test(name)) return 'hash';
  return /^[A-Za-z_][A-Za-z0-9_]*\.(?:[A-Z]|[a-z]+[A-Z])/.test(name) ? 'member' : 'plain';
}
