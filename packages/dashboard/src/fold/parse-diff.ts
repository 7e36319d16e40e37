/** One file of what `git diff` prints. */
export interface DiffFile {
  readonly name: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

interface DiffLine {
  readonly kind: 'place' | 'added' | 'removed' | 'same';
  readonly text: string;
}

const MAX_LINES = 2_000;

/** Pure. */
export const parseDiff = (text: string): readonly DiffFile[] =>
  text
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map(parseFile);

function parseFile(part: string): DiffFile {
  const all = part.split('\n');
  const begin = all.findIndex((line) => line.startsWith('@@'));
  const header = begin === -1 ? all : all.slice(0, begin);
  const body =
    begin === -1 ? [] : all.slice(begin).filter((line, index, { length }) => line !== '' || index < length - 1);
  const lines = body.map((line): DiffLine => ({ kind: kindOf(line), text: line }));
  return {
    name: nameOf(header),
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    lines: lines.slice(0, MAX_LINES),
  };
}

const kindOf = (line: string): DiffLine['kind'] =>
  line.startsWith('@@') ? 'place' : line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';

function nameOf(header: readonly string[]): string {
  const named = (start: string) => header.find((line) => line.startsWith(start))?.slice(start.length);
  const after = named('+++ b/');
  return after ?? named('--- a/') ?? / b\/(.*)$/.exec(header[0] ?? '')?.[1] ?? '';
}
