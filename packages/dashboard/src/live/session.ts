import { ApiError } from '@devs/api';
import { createPageClient, type PageClient } from './page-client.js';

/** Who uses this page. The token is for this tab, or for this browser where its user wants that. */
export interface Session {
  readonly client: PageClient;
  token(): string | undefined;
  scope(): 'owner' | 'viewer';
  isRemembered(): boolean;
  remember(wanted: boolean): void;
  /** The token is not accepted any more. */
  forget(): void;
}

const TOKEN = 'devs.token';
const SCOPE = 'devs.scope';

/**
 * Opens the session of this tab: with the key in the address, which works once, or with the stored token. `undefined`:
 * a link is needed; `problem` says why.
 */
export async function openSession(
  location: Location,
  history: History,
): Promise<{ readonly session?: Session; readonly problem?: string }> {
  const key = new URLSearchParams(location.hash.slice(1)).get('k');
  if (key === null) return read(TOKEN) === undefined ? {} : { session: sessionOf() };
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  try {
    const { token, scope } = await createPageClient(() => undefined).call('door.login', { key });
    sessionStorage.setItem(TOKEN, token);
    sessionStorage.setItem(SCOPE, scope);
    return { session: sessionOf() };
  } catch (error) {
    const problem = error instanceof ApiError ? error.message : 'The supervisor cannot be reached.';
    return read(TOKEN) === undefined ? { problem } : { session: sessionOf() };
  }
}

const read = (name: string): string | undefined =>
  sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined;

const sessionOf = (): Session => ({
  client: createPageClient(() => read(TOKEN)),
  token: () => read(TOKEN),
  scope: () => (read(SCOPE) === 'viewer' ? 'viewer' : 'owner'),
  isRemembered: () => localStorage.getItem(TOKEN) !== null,
  remember(wanted) {
    for (const name of [TOKEN, SCOPE]) {
      const value = read(name);
      if (wanted && value !== undefined) localStorage.setItem(name, value);
      if (!wanted && value !== undefined) sessionStorage.setItem(name, value);
      if (!wanted) localStorage.removeItem(name);
    }
  },
  forget() {
    for (const name of [TOKEN, SCOPE]) {
      sessionStorage.removeItem(name);
      localStorage.removeItem(name);
    }
  },
});
