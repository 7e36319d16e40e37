import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ForeignStoreError, type StoreBackend, StoreReplacedError } from '@devs/core';
import { CliError } from '../cli-error.js';
import { describeStoreLocation } from './store-location.js';

/** A clone's own identity, and the shared stores that it has joined. */
interface Joined {
  /** The name of its repository, as the stores know it. */
  readonly repository?: string;
  /** The id of each store, by its address. */
  readonly stores: Readonly<Record<string, string>>;
}

const NOTHING: Joined = { stores: {} };

/** In the folder of git: no clone, no commit and no archive brings it. */
const joinedFile = (gitFolder: string): string => join(gitFolder, 'devs', 'stores.json');

function readJoined(file: string | undefined): Joined {
  if (file === undefined) return NOTHING;
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as { repository?: unknown; stores?: unknown } | null;
    const stores = Object.entries((found?.stores ?? {}) as Record<string, unknown>);
    return {
      ...(typeof found?.repository === 'string' ? { repository: found.repository } : {}),
      stores: Object.fromEntries(stores.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    };
  } catch {
    return NOTHING;
  }
}

/** A clone that cannot be written to is asked again the next time. */
function writeJoined(file: string, joined: Joined): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(joined, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}

interface SharedDeps {
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  /** The current project. */
  readonly root: () => Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostName: string;
}

/** The stores that several clones of one project may share. Each belongs to one repository. */
export interface SharedStores {
  open(url: string, how: 'create' | 'existing'): Promise<StoreBackend>;
  /** The address with the prefix of this project, where the user named none. */
  addressOf(url: string): Promise<string>;
  /** What this clone knows of the store is forgotten: the next one there is another one. */
  forget(url: string): Promise<void>;
}

interface Clone {
  readonly repository: string;
  readonly formerly?: string;
  /** What the keys of its stores begin with. `undefined` where no other clone could find them. */
  readonly prefix?: string;
}

const ROOT = 'root:';
const PREFIX_CHARS = 12;

export function createSharedStores(deps: SharedDeps): SharedStores {
  const fileOf = async (root: string): Promise<string | undefined> => {
    const gitFolder = (await deps.loadStores()).commonGitFolder(root);
    return gitFolder === undefined ? undefined : joinedFile(gitFolder);
  };
  const look = async (url: string) => {
    const root = await deps.root();
    const file = await fileOf(root);
    const joined = readJoined(file);
    const clone = await identify(deps, root, joined.repository);
    const address = withPrefix(url, clone);
    return { file, joined, clone, address, key: keyOf(address) };
  };
  return {
    async open(url, how) {
      const { file, joined, clone, address, key } = await look(url);
      const { repository, formerly } = clone;
      const expectedId = joined.stores[key];
      const stores = await deps.loadStores();
      try {
        const backend = await stores.openRedisBackend({
          url: address,
          repository,
          ...(formerly === undefined ? {} : { formerly }),
          ...(expectedId === undefined ? {} : { expectedId }),
        });
        const id = await backend.id();
        const isKnown = expectedId === id && joined.repository === repository;
        if (how === 'create' && file !== undefined && !isKnown)
          writeJoined(file, { repository, stores: { ...joined.stores, [key]: id } });
        return backend;
      } catch (error) {
        throw explained(error, { address, clone, file });
      }
    },
    addressOf: async (url) => (await look(url)).address,
    async forget(url) {
      const { file, joined, key } = await look(url);
      const { [key]: known, ...stores } = joined.stores;
      if (file !== undefined && known !== undefined) writeJoined(file, { ...joined, stores });
    },
  };
}

/** The first commit of a project is what its clones have in common. */
async function identify(
  { loadWorktree, env, hostName }: SharedDeps,
  folder: string,
  known: string | undefined,
): Promise<Clone> {
  if (known?.startsWith(ROOT)) return ofRoot(known.slice(ROOT.length));
  const { readCloneId, readRepositoryRoot } = await loadWorktree();
  const root = await readRepositoryRoot({ folder, env });
  switch (root.outcome) {
    case 'found':
      return { ...ofRoot(root.commit), ...(known === undefined ? {} : { formerly: known }) };
    case 'no-commit':
      return { repository: `clone:${await readCloneId({ folder, env })}` };
    case 'shallow':
      throw new CliError(
        'this shallow clone lacks the first commit of the project, which a shared store knows it by. Fetch the rest: git fetch --unshallow',
      );
    case 'no-repository':
    case 'no-work-tree':
    case 'no-git':
    case 'no-folder':
      return { repository: `folder:${hostName}:${folder}` };
    default:
      throw new CliError(
        `git does not say which repository this is (${root.outcome === 'failed' ? root.message : root.outcome}). Try again.`,
      );
  }
}

const ofRoot = (commit: string): Clone => ({
  repository: `${ROOT}${commit}`,
  prefix: `devs:${commit.slice(0, PREFIX_CHARS)}`,
});

function withPrefix(url: string, { prefix }: Clone): string {
  const address = new URL(url);
  if (address.searchParams.has('prefix')) return url;
  if (prefix === undefined)
    throw new CliError(
      'a shared store knows a project by its first commit, and there is none here. Commit once, or name the records yourself: redis://HOST:PORT?prefix=NAME',
    );
  address.searchParams.set('prefix', prefix);
  return address.href;
}

/** Without user and password: they may change. */
function keyOf(address: string): string {
  const { protocol, host, pathname, searchParams } = new URL(address);
  return `${protocol}//${host}${pathname}?prefix=${searchParams.get('prefix')}`;
}

function explained(
  error: unknown,
  { address, clone, file }: { readonly address: string; readonly clone: Clone; readonly file: string | undefined },
): unknown {
  if (error instanceof ForeignStoreError)
    return new CliError(
      `${describeStoreLocation({ kind: 'redis', url: address })} holds the records of another project: ${nameOf(error.owner)}. This is ${nameOf(clone.repository)}. Run the command there, or give this project records of its own: ${clone.prefix === undefined ? 'choose another ?prefix=' : 'leave out ?prefix='}.`,
    );
  if (error instanceof StoreReplacedError && file !== undefined)
    return new CliError(
      `${error.message} Where its records are gone for good, remove ${file}: the next command joins the store that exists now.`,
    );
  return error;
}

function nameOf(repository: string): string {
  const [kind, ...rest] = repository.split(':');
  const text = rest.join(':');
  if (kind === 'root') return `the project with the first commit ${text.slice(0, 10)}`;
  return kind === 'clone' ? 'a repository without commits' : text;
}
