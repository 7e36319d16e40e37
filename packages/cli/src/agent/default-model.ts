import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The providers whose models have names that devs knows. */
export type NamingProvider = 'anthropic' | 'openai';

/** Current when this version was made; used where the provider cannot be asked. */
export const NAMED_MODELS: Readonly<Record<NamingProvider, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-terra',
};

/** The models that balance ability and price, with their version; an earlier pattern is preferred. */
const FAMILIES: Readonly<Record<NamingProvider, readonly RegExp[]>> = {
  anthropic: [/^claude-sonnet-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?$/],
  openai: [/^gpt-(\d{1,2})(?:\.(\d{1,2}))?-terra$/, /^gpt-(\d{1,2})(?:\.(\d{1,2}))?$/],
};

export interface ModelListing {
  readonly provider: NamingProvider;
  /** Of a server of the user's own. */
  readonly baseUrl: string | undefined;
  readonly cacheFolder: string;
  readonly now: number;
  /** The names that the provider offers. May reject. */
  readonly list: (signal: AbortSignal) => Promise<readonly string[]>;
}

const FRESH_MS = 24 * 60 * 60 * 1_000;
const PATIENCE_MS = 5_000;

/** The default model: from the provider's list, which is cached for a day, else a fixed name. */
export async function defaultModel(listing: ModelListing): Promise<string> {
  const { provider, baseUrl, cacheFolder, now, list } = listing;
  const file = join(cacheFolder, 'models.json');
  const server = baseUrl ?? provider;
  const cache = readCache(file);
  const known = cache[server];
  if (known !== undefined && now - known.at < FRESH_MS && known.at <= now) return pickModel(provider, known.models);
  try {
    const models = await list(AbortSignal.timeout(PATIENCE_MS));
    keepCache(file, { ...cache, [server]: { at: now, models: models.slice(0, MAX_MODELS) } });
    return pickModel(provider, models);
  } catch {
    // The following call reports problems with the key or the server.
    return pickModel(provider, known?.models ?? []);
  }
}

/** Pure: the newest of the family; on a server with one model that one; else the named one. */
export function pickModel(provider: NamingProvider, models: readonly string[]): string {
  for (const family of FAMILIES[provider]) {
    const versions = models.flatMap((name) => {
      const [, major, minor = '0'] = family.exec(name) ?? [];
      return major === undefined ? [] : [{ name, version: Number(major) * 100 + Number(minor) }];
    });
    // Of the same version, the shorter name is the one without a date.
    const [newest] = versions.toSorted((a, b) => b.version - a.version || a.name.length - b.name.length);
    if (newest !== undefined) return newest.name;
  }
  const [only, ...others] = models;
  return only !== undefined && others.length === 0 ? only : NAMED_MODELS[provider];
}

const MAX_MODELS = 500;

interface KeptList {
  readonly at: number;
  readonly models: readonly string[];
}

/** A file that is missing or not as devs writes it counts as empty. */
function readCache(file: string): Readonly<Record<string, KeptList>> {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Object.fromEntries(Object.entries(kept as Record<string, unknown>).filter(isKeptEntry));
  } catch {
    return {};
  }
}

function isKeptEntry(entry: [string, unknown]): entry is [string, KeptList] {
  const { at, models } = (entry[1] ?? {}) as Partial<KeptList>;
  return typeof at === 'number' && Array.isArray(models) && models.every((name) => typeof name === 'string');
}

/** A list that cannot be kept is asked for again. */
function keepCache(file: string, cache: Readonly<Record<string, KeptList>>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, `${JSON.stringify(cache, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {}
}

/** The user's cache folder. */
export function cacheFolderOf(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const { XDG_CACHE_HOME: named } = env;
  if (named?.startsWith('/') === true) return join(named, 'devs');
  return platform === 'darwin' ? join(home, 'Library', 'Caches', 'devs') : join(home, '.cache', 'devs');
}
