import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A record of a transcript of Claude Code, as far as it is looked at here. */
interface Row {
  readonly type?: string;
  readonly subtype?: string;
  readonly isSidechain?: boolean;
  readonly isCompactSummary?: boolean;
  readonly cwd?: string;
  readonly timestamp?: string;
  readonly message?: { readonly id?: string; readonly content?: unknown };
}

/** A moment at which an agent compacted its context, and what it used next although nothing had shown it again. */
export interface Compaction {
  readonly needed: readonly string[];
  /** The transcript up to that moment. */
  readonly before: string;
  /** When that was, as written in the transcript. */
  readonly at: string;
  /** Paths without the folder of the work. */
  readonly strip: (text: string) => string;
}

const CALLS_AHEAD = 40;

/** The same rule as the continuity score of handoffs: names, paths and commands that were known, needed, and not shown since. */
export function compactionsIn(file: string): readonly Compaction[] {
  const rows = rowsIn(file);
  const main = rows.filter((row) => !row.isSidechain);
  const at = main.flatMap((row, index) => (isBoundary(row) ? [index] : []));
  return at.flatMap((index, nth) => {
    const summaryAt = main.findIndex((row, i) => i >= index && i < index + 8 && row.isCompactSummary === true);
    const cut = rows.indexOf(main[index] as Row);
    if (summaryAt === -1) return [];
    const strip = stripperOf(rows.slice(0, cut + 1));
    const known = tokensOf(main.slice(nth === 0 ? 0 : at[nth - 1], index), strip);
    const needed = neededIn(main.slice(summaryAt + 1), known, strip);
    const before = `${rows
      .slice(0, cut)
      .map((row) => JSON.stringify(row))
      .join('\n')}\n`;
    return needed.length === 0 ? [] : [{ needed, before, strip, at: momentOf(rows.slice(0, cut)) }];
  });
}

/** The same at moments where nothing happened: so far on the way, such as a half. */
export const momentsAt =
  (shares: readonly number[]) =>
  (file: string): readonly Compaction[] => {
    const rows = rowsIn(file);
    const main = rows.filter((row) => !row.isSidechain);
    const strip = stripperOf(rows);
    return shares.flatMap((share) => {
      const index = Math.floor(share * main.length);
      const needed = neededIn(main.slice(index), tokensOf(main.slice(0, index), strip), strip);
      const earlier = rows.slice(0, rows.indexOf(main[index] as Row));
      const before = earlier.map((row) => `${JSON.stringify(row)}\n`).join('');
      return needed.length === 0 ? [] : [{ needed, before, strip, at: momentOf(earlier) }];
    });
  };

function rowsIn(file: string): readonly Row[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

const momentOf = (rows: readonly Row[]): string =>
  rows.findLast(({ timestamp }) => timestamp !== undefined)?.timestamp ?? '';

const isBoundary = (row: Row) => row.type === 'system' && row.subtype === 'compact_boundary';

function stripperOf(rows: readonly Row[]): (text: string) => string {
  const folders = [...new Set(rows.flatMap(({ cwd }) => (cwd === undefined ? [] : [cwd])))];
  const longestFirst = folders.sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((left, folder) => left.replaceAll(`${folder}/`, ''), text);
}

interface Part {
  readonly type?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly input?: Readonly<Record<string, unknown>>;
}

const partsOf = ({ message }: Row): readonly Part[] =>
  Array.isArray(message?.content) ? (message.content as readonly Part[]) : [];

function tokensOf(rows: readonly Row[], strip: (text: string) => string): ReadonlySet<string> {
  const known = new Set<string>();
  const note = (text: string) => {
    for (const token of tokensIn(strip(text))) known.add(token);
  };
  for (const row of rows) {
    if (row.type === 'user') note(flatten(row.message?.content));
    if (row.type !== 'assistant') continue;
    for (const part of partsOf(row)) {
      if (part.type === 'text') note(part.text ?? '');
      if (part.type === 'tool_use') note(JSON.stringify(part.input ?? {}));
    }
  }
  return known;
}

const USED_KEYS = ['file_path', 'path', 'command', 'pattern', 'glob', 'url', 'notebook_path'];

function neededIn(
  rows: readonly Row[],
  known: ReadonlySet<string>,
  strip: (text: string) => string,
): readonly string[] {
  const shown = new Set<string>();
  const needed = new Set<string>();
  const calls = new Set<string | undefined>();
  for (const row of rows) {
    if (isBoundary(row)) break;
    if (row.type === 'user') for (const token of tokensIn(strip(flatten(row.message?.content)))) shown.add(token);
    if (row.type !== 'assistant') continue;
    calls.add(row.message?.id);
    if (calls.size > CALLS_AHEAD) break;
    for (const { type, input = {} } of partsOf(row)) {
      if (type !== 'tool_use') continue;
      const used = USED_KEYS.map((key) => String(input[key] ?? '')).join(' ');
      for (const token of tokensIn(strip(used))) if (known.has(token) && !shown.has(token)) needed.add(token);
      for (const token of tokensIn(strip(JSON.stringify(input)))) shown.add(token);
    }
  }
  return [...needed];
}

/** Names, paths and the like: no plain words, no line of dashes. */
function tokensIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const raw of text.match(/[A-Za-z0-9_./-]{8,}/g) ?? []) {
    const token = raw.replace(/^[./-]+|[./-]+$/g, '');
    if (token.length < 8 || /^([a-z]+|[A-Z][a-z]+|[A-Z]+|[-=_.]+)$/.test(token)) continue;
    if (/^(dev\/(null|stdout|stderr|tty)|example\.(com|org))$/.test(token)) continue;
    if (/[0-9_/.]/.test(token) || /[a-z][A-Z]/.test(token)) found.add(token);
  }
  return found;
}

function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(flatten).join('\n');
  if (value === null || typeof value !== 'object') return value == null ? '' : String(value);
  const part = value as Part;
  if (part.type === 'text') return part.text ?? '';
  if (part.type === 'tool_result') return flatten(part.content);
  if (part.type === 'image' || part.type === 'document') return '';
  return Object.values(value).map(flatten).join('\n');
}
