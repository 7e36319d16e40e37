import { isAbsolute, join } from 'node:path';

export interface UserDirs {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** `undefined` where the user has none. */
  readonly home: string | undefined;
}

/** The list of the user's projects: state, not settings. `undefined` where there is no place for it. Pure. */
export function projectIndexFile({ env, platform, home }: UserDirs): string | undefined {
  const folder = absolute(env['XDG_STATE_HOME']) ?? systemFolder({ env, platform, home: absolute(home) });
  return folder === undefined ? undefined : join(folder, 'devs', 'projects.db');
}

function systemFolder({ env, platform, home }: UserDirs): string | undefined {
  const local = platform === 'win32' ? absolute(env['LOCALAPPDATA']) : undefined;
  if (local !== undefined || home === undefined) return local;
  switch (platform) {
    case 'win32':
      return join(home, 'AppData', 'Local');
    case 'darwin':
      return join(home, 'Library', 'Application Support');
    default:
      return join(home, '.local', 'state');
  }
}

/** The XDG rules ignore relative paths. */
const absolute = (path: string | undefined) => (path !== undefined && isAbsolute(path) ? path : undefined);
