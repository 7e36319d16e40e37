import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseFiles } from '../checkpoint/choose-files.js';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { type Printed, printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { createGit, type Git } from '../run-git.js';
import { readCopied } from './copied-files.js';

export interface DiffRequest {
  /** The run's work tree, or the project where that is gone. */
  readonly folder: string;
  readonly base: string;
  /** The branch; without it what lies in the folder, committed or not. */
  readonly tip?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const GIT_MS = 60_000;
const MAX_FILES = 20_000;
const FILE_BYTES = 1 << 20;

/** Changes of a run since its start, as a patch. */
export async function diffRun({ folder, base, tip, env }: DiffRequest): Promise<Printed> {
  const git = createGit({ folder, env, timeMs: GIT_MS });
  if (tip !== undefined) return printGit(git, patch(base, tip));
  const place = await locateWorktree(git);
  if (place.outcome !== 'located') return place;
  const atRoot = createGit({ folder: place.root, env, timeMs: GIT_MS });
  const added = await newFiles(atRoot, place);
  return added.outcome === 'told' ? withNew(atRoot, place.gitFolder, added.paths, patch(base)) : added;
}

const patch = (base: string, tip?: string): readonly string[] => [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  base,
  ...(tip === undefined ? [] : [tip]),
  '--',
];

type NewFiles = { readonly outcome: 'told'; readonly paths: readonly string[] } | NotRead;

/** Files that git does not know yet, as far as the run will commit them: no copies, no secrets, nothing huge. */
async function newFiles(
  git: Git,
  { root, gitFolder }: { readonly root: string; readonly gitFolder: string },
): Promise<NewFiles> {
  const status = await readStatus(git, MAX_FILES);
  if (status.outcome !== 'told') return status;
  const isCopied = await readCopied(gitFolder);
  const changes = status.files.filter((file) => file.state === 'untracked' && !isCopied(file));
  const { kept } = await chooseFiles({ git, root, changes, mostBytes: FILE_BYTES, commit: status.head.commit });
  return { outcome: 'told', paths: kept };
}

/** git shows new files only where its index names them: a copy of the index does, and the agent's own stays as it is. */
async function withNew(git: Git, gitFolder: string, paths: readonly string[], args: readonly string[]) {
  if (paths.length === 0) return printGit(git, args);
  const folder = await mkdtemp(join(tmpdir(), 'devs-index-'));
  try {
    const index = join(folder, 'index');
    await copyFile(join(gitFolder, 'index'), index).catch(() => {}); // git makes it where there is none yet
    const env = { GIT_INDEX_FILE: index };
    const add = ['--literal-pathspecs', 'add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];
    const named = await printGit(git, add, { input: paths.map((path) => `${path}\0`).join(''), env });
    return named.outcome === 'printed' ? await printGit(git, args, { env }) : named;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
