import type { Environment } from '../ports/agent-driver.js';
import { isBelow, type SandboxPlan, type SandboxRule } from './sandbox-rule.js';
import { secretPlaces } from './secret-places.js';

/** Where a command works, and whose it is. Every path is absolute and real. */
export interface SandboxPlace {
  readonly worktree: string;
  /** The folder of the user's own checkout; the worktree itself where they work in it. */
  readonly project: string;
  readonly git?: GitPlace;
  readonly home: string;
  readonly env: Environment;
  /** Folders for temporary files. */
  readonly temporary: readonly string[];
  readonly network: boolean;
  /** Further readable or writable paths from the user. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Where git keeps the data of the worktree. */
export type GitPlace =
  | {
      readonly kind: 'linked';
      /** `.git/worktrees/NAME` */
      readonly folder: string;
      /** `.git` of the repository. */
      readonly common: string;
      /** The branch of the run, such as `devs/run-1`. */
      readonly branch?: string;
      /** Refs beside that branch: the work of other runs. */
      readonly others: readonly string[];
    }
  | { readonly kind: 'whole'; readonly folder: string };

/** What a command may see and change. The caller filters out missing paths. Pure. */
export function planSandbox(place: SandboxPlace): SandboxPlan {
  const { worktree, project, home, env, temporary, network } = place;
  const { hidden, redacted } = secretPlaces(home, env);
  const rules: readonly SandboxRule[] = [
    ...temporary.map(rule('scratch')),
    // Required folders inside a folder for temporary files or a hidden one.
    ...[project, home, ...programFolders(env)].filter((path) => isHeldBy(path, temporary)).map(rule('show')),
    ...cachesOf(home, env),
    ...hidden.map(rule('hide')),
    ...redacted.map(rule('redact')),
    { what: 'hide', path: `${project}/.devs` },
    { what: 'write', path: worktree },
    ...place.write.map(rule('write')),
    ...place.read.map(rule('show')),
    ...(place.git === undefined ? [] : gitRules(place.git)),
    ...(place.git?.kind === 'linked' ? [{ what: 'show', path: `${worktree}/.git` } as const] : []),
    ...(worktree === project ? ownFolderRules(project) : []),
  ];
  return { rules, network };
}

const rule =
  (what: SandboxRule['what']) =>
  (path: string): SandboxRule => ({ what, path });

const isHeldBy = (path: string, folders: readonly string[]) => folders.some((folder) => isBelow(path, folder));

const programFolders = ({ PATH = '' }: Environment): readonly string[] =>
  PATH.split(':').filter((folder) => folder.startsWith('/'));

/** Below the user's home. Excludes folders with programs: the user would run a program that a command wrote there. */
const CACHES = [
  ...[
    '.pnpm-store',
    '.local/share/pnpm/store',
    'Library/pnpm/store',
    '.yarn/cache',
    '.yarn/berry',
    '.bun/install/cache',
  ],
  ...[
    '.cargo/registry',
    '.cargo/git',
    'go/pkg',
    '.gradle/caches',
    '.gradle/daemon',
    '.gradle/wrapper',
    '.m2/repository',
  ],
  ...['.ivy2', '.nuget/packages', '.composer/cache', 'Library/Caches'],
];

const CACHE_VARIABLES = [
  'npm_config_cache',
  'NPM_CONFIG_CACHE',
  'npm_config_store_dir',
  'PIP_CACHE_DIR',
  'GOCACHE',
  'GOMODCACHE',
];

/** Programs in a cache, which the user runs later outside of any sandbox. */
const CACHED_PROGRAMS = [
  ...['node/corepack', 'devs-agents', 'ms-playwright', 'puppeteer', 'pre-commit'],
  ...['gitstatus', 'zsh', 'oh-my-zsh', 'vim', 'nvim', 'wal'], // of shells and editors
];

/** Files of a shell's theme, which every new shell of the user runs. */
const shellFiles = ({ USER = '' }: Environment): readonly string[] =>
  ['p10k-instant-prompt', 'p10k-dump'].flatMap((name) => [`${name}-${USER}.zsh`, `${name}-${USER}.zsh.zwc`]);

function cachesOf(home: string, env: Environment): readonly SandboxRule[] {
  const cache = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : `${home}/.cache`;
  const npm = env.npm_config_cache?.startsWith('/') ? env.npm_config_cache : `${home}/.npm`;
  const named = CACHE_VARIABLES.map((name) => env[name] ?? '').filter((path) => /^\/[^/]/.test(path));
  return [
    ...[...CACHES.map((name) => `${home}/${name}`), ...named].map(rule('write')),
    ...[cache, npm].map((path) => ({ what: 'write', path, make: 'folder' }) as const),
    { what: 'scratch', path: `${npm}/_npx` },
    ...[...CACHED_PROGRAMS, ...shellFiles(env)].map((name) => rule('show')(`${cache}/${name}`)),
  ];
}

function gitRules(git: GitPlace): readonly SandboxRule[] {
  const show = (path: string, make?: 'folder' | 'file'): SandboxRule =>
    make === undefined ? { what: 'show', path } : { what: 'show', path, make };
  if (git.kind === 'whole') {
    const { folder } = git;
    return [
      { what: 'write', path: folder },
      // Each of them for itself, so that none can be moved away: git would look for a repository elsewhere.
      ...['objects', 'refs'].map((name) => ({ what: 'write', path: `${folder}/${name}` }) as const),
      { what: 'redact', path: `${folder}/config` },
      show(`${folder}/config.worktree`, 'file'),
      ...['hooks', 'info', 'objects/info'].map((name) => show(`${folder}/${name}`, 'folder')),
      ...['modules', 'worktrees'].map((name) => show(`${folder}/${name}`)),
    ];
  }
  const { folder, common, branch, others } = git;
  const refs = branch === undefined ? undefined : `refs/heads/${branch}`.replace(/\/[^/]*$/, '');
  return [
    show(common),
    { what: 'redact', path: `${common}/config` },
    { what: 'write', path: `${common}/objects` },
    show(`${common}/objects/info`, 'folder'),
    // git makes a lock beside the ref, so that the folder of the run's branch has to be writable.
    ...(refs === undefined ? [] : [{ what: 'write', path: `${common}/${refs}`, make: 'folder' } as const]),
    ...(branch === undefined ? [] : [log(`${common}/logs/refs/heads/${branch}`)]),
    ...others.map((path) => show(path)),
    { what: 'write', path: `${common}/reftable` },
    { what: 'write', path: folder },
    show(`${folder}/logs`, 'folder'),
    log(`${folder}/logs/HEAD`),
    // Each of them could lead git, also ours, to settings that run a program.
    ...['commondir', 'gitdir'].map((name) => show(`${folder}/${name}`)),
    show(`${folder}/config.worktree`, 'file'),
  ];
}

/** A file alone, and not its folder: git, also the user's, writes through a link that a command put in its place. */
const log = (path: string): SandboxRule => ({ what: 'write', path, make: 'file' });

/** What devs keeps in the user's own checkout, where a command works in it. */
const ownFolderRules = (project: string): readonly SandboxRule[] => [
  { what: 'show', path: `${project}/.devs` },
  ...['state.db', 'state.db-wal', 'state.db-shm', 'local'].map((name) => rule('hide')(`${project}/.devs/${name}`)),
];
