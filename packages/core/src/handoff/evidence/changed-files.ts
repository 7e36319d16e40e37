import type { GitChange, GitEvidence } from './git-evidence.js';

/** Files that git reports as changed, as one entry: a file, or a folder not mentioned in the conversation. */
export type ReportedFile =
  | { readonly path: string; readonly change: GitChange }
  /** Many files that the conversation did not touch; the path ends with a slash. */
  | { readonly path: string; readonly changes: readonly GitChange[] };

/**
 * The files that git reports, with paths from the folder of the conversation. Files that the conversation touched are
 * told one by one; of the others, those of one folder together, where there are too many to list.
 */
export function reportedFiles(
  { changes, folder = '' }: GitEvidence,
  touched: ReadonlySet<string>,
): readonly ReportedFile[] {
  const files = changes.map((change) => ({ path: pathFrom(folder, change.path), change: fromFolder(change, folder) }));
  const others = files.filter(({ path, change }) => !touched.has(path) && change.state !== 'conflicted');
  if (others.length <= MAX_SINGLE) return files;
  const gathered = new Set(others);
  return [...files.filter((file) => !gathered.has(file)), ...gather(others)];
}

const fromFolder = (change: GitChange, folder: string): GitChange =>
  change.from === undefined ? change : { ...change, from: pathFrom(folder, change.from) };

const MAX_SINGLE = 40;

/** By folder, as deep as there are not too many of them. */
function gather(files: readonly { path: string; change: GitChange }[]): readonly ReportedFile[] {
  for (let depth = DEEPEST; depth > 0; depth--) {
    const folders = new Map<string, { path: string; change: GitChange }[]>();
    for (const file of files) {
      const folder = folderOf(file.path, depth);
      const held = folders.get(folder);
      if (held === undefined) folders.set(folder, [file]);
      else held.push(file);
    }
    if (folders.size <= MAX_SINGLE || depth === 1) return [...folders].flatMap(([path, held]) => entriesOf(path, held));
  }
  return files;
}

const DEEPEST = 6;

function entriesOf(path: string, held: readonly { path: string; change: GitChange }[]): readonly ReportedFile[] {
  return held.length <= FEW ? held : [{ path, changes: held.map(({ change }) => change) }];
}

const FEW = 2;

function folderOf(path: string, depth: number): string {
  const folders = path.split('/').slice(0, -1).slice(0, depth);
  return folders.length === 0 ? './' : `${folders.join('/')}/`;
}

/** A path from the top of the repository, as it is from a folder in it. */
export function pathFrom(folder: string, path: string): string {
  if (folder === '' || path.startsWith(folder)) return path.slice(folder.length);
  const here = folder.split('/').filter((part) => part !== '');
  const there = path.split('/');
  let common = 0;
  while (common < here.length && here[common] === there[common]) common++;
  return [...here.slice(common).map(() => '..'), ...there.slice(common)].join('/');
}
