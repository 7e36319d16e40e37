/**
 * The names in a text that may have to be written again: paths, identifiers, commands with dashes, hosts, versions.
 * Ordinary words are none. Each once, in order.
 *
 * By expressions alone, which are quick from the start: most processes read only a few texts.
 */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  CANDIDATE.lastIndex = 0;
  for (let match = CANDIDATE.exec(text); match !== null; match = CANDIDATE.exec(text)) {
    if (!STRUCTURED.test(match[0])) continue;
    const after = CANDIDATE.lastIndex;
    addName(names, text, match.index, match[0]);
    CANDIDATE.lastIndex = after; // a name may have been looked into
  }
  return names;
}

/** A run of the characters of names that is long enough, from its first letter, digit or underscore on. */
const CANDIDATE = /\w[\w./-]{5,}/g;
/** What no name does without, and no word has: `fooBar`, `foo_bar`, `foo/bar`, `foo.ts`, `v1.2.3`; not `foo`, `Foo`, `well-known`, `12345`. */
const STRUCTURED = /[_./]|[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]/;

/** The name in a run, where it is one. */
function addName(names: Set<string>, text: string, start: number, run: string): void {
  const name = withoutEnd(run);
  if (name.length < SHORTEST || name.length > LONGEST) return;
  if (name.length < run.length && !STRUCTURED.test(name)) return;
  if (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) {
    // The letter belongs to the escape: `\\tshadowCommit` is a tab and a name.
    for (const own of namesIn(name.slice(1))) names.add(own);
  } else if (isDigit(name.charCodeAt(0)) ? isNumberedName(name) : LETTER.test(name)) {
    names.add(start > 0 ? `${leadOf(text, start, name)}${name}` : name);
  }
}

/** Dots, slashes and dashes belong to a name only if it continues after them. */
function withoutEnd(run: string): string {
  let end = run.length;
  while (isJoint(run.charCodeAt(end - 1))) end -= 1;
  return end === run.length ? run : run.slice(0, end);
}

/** One of `-./`, whose codes follow each other. */
const isJoint = (code: number) => code >= 0x2d && code <= 0x2f;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const LETTER = /[A-Za-z]/;

/** What a path begins with besides a word: `/etc/…`, `~/.kube/…`, `../lib/…`, `.github/…`, `@scope/…`. Not `./`, which says nothing. */
function leadOf(text: string, start: number, name: string): string {
  if (!isLeading(text.charCodeAt(start - 1))) return '';
  let at = start - 1;
  while (at > 0 && start - at < MAX_LEAD_LENGTH && isLeading(text.charCodeAt(at - 1))) at -= 1;
  if (at > 0 && !/[\s"'`=(,:[]/.test(text[at - 1] as string)) return '';
  const lead = text.slice(at, start).replace(/^(?:\.\/)+/, '');
  const isPath = name.includes('/') ? /^(?:\/\.?|~\/\.?|(?:\.\.\/)+\.?|\.|@)$/ : /^(?:~\/\.?|(?:\.\.\/)+)$/;
  return isPath.test(lead) ? lead : '';
}

const MAX_LEAD_LENGTH = 12;
/** One of `./~@`. */
const isLeading = (code: number) => code === 0x2e || code === 0x2f || code === 0x7e || code === 0x40;

const BACKSLASH = 0x5c;
const SHORTEST = 6;
const LONGEST = 200;

/**
 * A name with a leading digit is a version, a hash or a file; durations, sizes, times and addresses are never needed
 * again.
 */
function isNumberedName(name: string): boolean {
  if (/^\d+\.\d+\.\d+$/.test(name)) return true;
  if (!LETTER.test(name) && !/^\d+\.\d+\.\d+/.test(name)) return false;
  return !/^(?:\d[\d._]*[A-Za-z]{0,3}|0x[0-9A-Fa-f]+|\d{4}-\d\d-\d\dT.*)$/.test(name);
}

/** `path`: has folders · `member`: of a library or value, as in `fmt.Printf`, which any agent can spell · `hash` · `plain` */
export function shapeOf(name: string): 'path' | 'member' | 'hash' | 'plain' {
  if (name.includes('/')) return 'path';
  if (/^[0-9a-f]{7,64}$/.test(name)) return 'hash';
  return /^[A-Za-z_][A-Za-z0-9_]*\.(?:[A-Z]|[a-z]+[A-Z])/.test(name) ? 'member' : 'plain';
}
