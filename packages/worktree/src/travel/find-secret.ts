import { holdsAll } from '../checkpoint/choose-files.js';
import { isSecretByName, lookForSecrets } from '../checkpoint/look-for-secrets.js';
import type { NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import type { Git, GitRunOptions } from '../run-git.js';

export interface SecretSearch {
  /** The commit that is about to be pushed. */
  readonly commit: string;
  /** Commits that are elsewhere already. */
  readonly known: readonly string[];
  readonly remote: string;
  readonly options?: GitRunOptions;
}

/** `none`, or the first file that must not leave this machine. */
export type SecretFinding =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'secret'; readonly path: string }
  | NotRead;

const MAX_BYTES = 10 << 20;
const MAX_BYTES_IN_ALL = 64 << 20;
const BLOBS_AT_ONCE = 500;

/** Looks into every file of every commit that the remote does not have, also where a later commit removed it again. */
export async function findSecret(
  git: Git,
  { commit, known, remote, options = {} }: SecretSearch,
): Promise<SecretFinding> {
  const listed = await printGit(
    git,
    [
      'rev-list',
      '--objects',
      '--filter=object:type=blob',
      '--filter-provided-objects',
      commit,
      '--not',
      ...known,
      `--remotes=${remote}`,
    ],
    options,
  );
  if (listed.outcome !== 'printed') return listed;
  const blobs = listed.text.split('\n').flatMap((line) => {
    const [hash = '', ...path] = line.split(' ');
    return path.length === 0 ? [] : [{ hash, path: path.join(' ') }];
  });
  let bytesLeft = MAX_BYTES_IN_ALL;
  for (let from = 0; from < blobs.length; from += BLOBS_AT_ONCE) {
    const some = blobs.slice(from, from + BLOBS_AT_ONCE);
    const contents = await readBlobs(git, some, options);
    if ('outcome' in contents) return contents;
    for (const { hash, path } of some) {
      const content = contents.get(hash);
      bytesLeft -= content?.length ?? 0;
      if (content === undefined || bytesLeft < 0) continue;
      const { secrets, isBinarySecret } = lookForSecrets(content);
      const isSecret = isBinarySecret || isSecretByName(path) || secrets.length > 0;
      if (isSecret && !(await isKnown(git, known, path, secrets))) return { outcome: 'secret', path };
    }
  }
  return { outcome: 'none' };
}

/** What is committed at the other place already did not come from this work. */
async function isKnown(git: Git, known: readonly string[], path: string, secrets: readonly string[]): Promise<boolean> {
  for (const commit of known) {
    const isThere = (await printGit(git, ['cat-file', '-e', `${commit}:${path}`])).outcome === 'printed';
    if (isThere && (await holdsAll(git, commit, path, secrets))) return true;
  }
  return false;
}

async function readBlobs(
  git: Git,
  blobs: readonly { readonly hash: string }[],
  options: GitRunOptions,
): Promise<ReadonlyMap<string, Buffer> | NotRead> {
  const input = `${blobs.map(({ hash }) => hash).join('\n')}\n`;
  const sized = await printGit(git, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], { ...options, input });
  if (sized.outcome !== 'printed') return sized;
  const small = sized.text
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([hash, size]) => hash !== undefined && Number(size) <= MAX_BYTES)
    .map(([hash = '']) => hash);
  const found = new Map<string, Buffer>();
  for (const hash of small) {
    if (hash === '') continue;
    const chunks: Buffer[] = [];
    const run = await git.run(['cat-file', 'blob', hash], (chunk) => void chunks.push(chunk), options);
    if (run.outcome === 'exited' && run.exitCode === 0) found.set(hash, Buffer.concat(chunks));
    else if (run.outcome !== 'exited') return run;
    else return { outcome: 'failed', message: run.stderr };
  }
  return found;
}
