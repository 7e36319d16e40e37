import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisorPlaces } from './places.js';
import type { SupervisorLink } from './supervisor-link.js';

/** The page of the user's supervisor, from the outside. */
export interface PageLink {
  /** Starts the supervisor where none runs, and has it serve the page. */
  makeLink(wanted: {
    readonly scope: 'owner' | 'viewer';
    readonly port?: number;
  }): Promise<{ readonly url: string; readonly until: number }>;
  /** Whether there is a browser to open it in. */
  openBrowser(url: string): boolean;
}

export interface PageLinkDeps {
  readonly supervisor: SupervisorLink;
  readonly places: () => Promise<SupervisorPlaces>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly isTerminal: boolean;
}

export function createPageLink(deps: PageLinkDeps): PageLink {
  let folder: string | undefined;
  return {
    async makeLink(wanted) {
      const places = await deps.places();
      folder = places.folder;
      return deps.supervisor.call('links.make', wanted);
    },
    openBrowser(url) {
      const program = browserOf(deps);
      if (program === undefined || folder === undefined) return false;
      // Arguments of programs are seen by everybody on the machine: the key goes through a file of the user's alone.
      const file = join(folder, 'open-page.html');
      writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, { mode: 0o600 });
      const child = spawn(program, [file], { detached: true, stdio: 'ignore' });
      child.once('error', () => {}); // the link is printed as well
      child.unref();
      return true;
    },
  };
}

/** `undefined` without a display. */
function browserOf({ env, platform, isTerminal }: PageLinkDeps): string | undefined {
  if (!isTerminal || env.SSH_CONNECTION !== undefined) return undefined;
  if (platform === 'darwin') return 'open';
  return env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined ? 'xdg-open' : undefined;
}
