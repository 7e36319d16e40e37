import { chmod, lstat, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const HEAD = /^(?:ref: refs\/\S+|[0-9a-f]{40,64})\n?$/;

/**
 * In the user's own checkout a command can make files in `.git`, since git does. Gives what puts right, once it has ended, that
 * which would lead the user's git elsewhere: to settings that a command wrote, or through a link to a file of the user's.
 */
export async function watchGitFolder(folder: string): Promise<() => Promise<void>> {
  const before = new Set(await findMisleading(folder));
  const head = await readHead(folder);
  return async () => {
    await Promise.all(['.', 'objects', 'refs'].map((name) => openFolder(join(folder, name))));
    for (const path of await findMisleading(folder))
      if (!before.has(path)) await rm(path, { recursive: true, force: true });
    if (head === undefined || (await readHead(folder)) !== undefined) return;
    await rm(join(folder, 'HEAD'), { recursive: true, force: true });
    await writeFile(join(folder, 'HEAD'), head);
  };
}

/** Without them git takes `.git` for no repository, and a folder above or beside it for one. */
async function readHead(folder: string): Promise<string | undefined> {
  const facts = await lstat(join(folder, 'HEAD')).catch(() => undefined);
  if (facts?.isFile() !== true || facts.size > 4_096) return undefined;
  const text = await readFile(join(folder, 'HEAD'), 'utf8').catch(() => '');
  return HEAD.test(text) ? text : undefined;
}

async function openFolder(path: string): Promise<void> {
  const mode = (await stat(path).catch(() => undefined))?.mode;
  if (mode !== undefined && (mode & 0o700) !== 0o700) await chmod(path, (mode & 0o777) | 0o700);
}

/** Only the folder of a linked work tree has a `commondir`; to a log git appends through a link. */
async function findMisleading(folder: string): Promise<readonly string[]> {
  const common = join(folder, 'commondir');
  const isThere = (await lstat(common).catch(() => undefined)) !== undefined;
  return [...(isThere ? [common] : []), ...(await findLinks(join(folder, 'logs')))];
}

async function findLinks(path: string): Promise<readonly string[]> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isSymbolicLink() === true) return [path];
  if (facts?.isDirectory() !== true) return [];
  const names = await readdir(path).catch(() => []);
  return (await Promise.all(names.map((name) => findLinks(join(path, name))))).flat();
}
