import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import type { Git } from '../run-git.js';

/** Where checkpoints are: beside the refs of the user, so that `git push --mirror` does not publish them. */
export interface HiddenRepository {
  readonly folder: string;
  /** For a git of the user's repository whose new objects belong here. */
  readonly env: Readonly<Record<string, string>>;
}

const NAME = 'checkpoints.git';
/** Relative path between the two object folders: the user may move the repository. */
const OBJECTS_OF_THE_USER = '../../../objects\n';

/**
 * Opens it in the git folder that all work trees share. It borrows the objects of the user's repository and keeps its own:
 * neither a push nor `git gc` over there sees them.
 */
export async function openHiddenRepository(
  git: Git,
): Promise<({ readonly outcome: 'open' } & HiddenRepository) | NotRead> {
  const shared = await printGit(git, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (shared.outcome !== 'printed') return shared;
  const parent = join(shared.text.slice(0, -1), 'devs');
  const folder = join(parent, NAME);
  const opened = { outcome: 'open', folder, env: { GIT_OBJECT_DIRECTORY: join(folder, 'objects') } } as const;
  if (await exists(folder)) return opened;
  const failure = await create(git, parent, folder);
  return failure ?? opened;
}

/** Creates it atomically: another process may open it at the same moment. */
async function create(git: Git, parent: string, folder: string): Promise<NotRead | undefined> {
  const format = await printGit(git, ['rev-parse', '--show-object-format']);
  if (format.outcome !== 'printed') return format;
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const draft = `${folder}.${process.pid}.${performance.now()}`;
  try {
    const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${format.text.trim()}`, draft];
    // Outside the work tree: git creates no bare repository while GIT_WORK_TREE is set.
    const made = await printGit(git, args, { folder: parent });
    if (made.outcome !== 'printed') return made;
    await mkdir(join(draft, 'objects', 'info'), { recursive: true });
    await writeFile(join(draft, 'objects', 'info', 'alternates'), OBJECTS_OF_THE_USER);
    await rename(draft, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error; // another process was first
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return undefined;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A git bound to one repository, independent of the current folder. */
export const gitIn = (git: Git, { folder }: HiddenRepository): Git => ({
  run: (args, onOutput, more) => git.run([`--git-dir=${folder}`, ...args], onOutput, more),
});
