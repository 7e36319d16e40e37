import * as modules from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Enables Node's compile cache, which speeds up the next start. Kept in the user's own state, where commands of agents
 * cannot write: its content is executed.
 *
 * @param {Pick<NodeJS.Process, 'env' | 'platform'>} process
 * @returns {string | undefined} where compiled code is kept; nothing without a home folder: the start is as fast as before
 */
export function keepCompiled({ env, platform }) {
  try {
    const folder = join(stateFolder(env, platform), 'devs', 'compiled');
    const enable = 'enableCompileCache' in modules ? modules.enableCompileCache : undefined;
    if (typeof enable === 'function') enable(folder);
    return folder;
  } catch {
    return undefined;
  }
}

/**
 * As `projectIndexFile` of the store finds it, without loading that.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
function stateFolder({ XDG_STATE_HOME = '', LOCALAPPDATA = '' }, platform) {
  if (isAbsolute(XDG_STATE_HOME)) return XDG_STATE_HOME;
  if (platform === 'win32') return isAbsolute(LOCALAPPDATA) ? LOCALAPPDATA : join(homedir(), 'AppData', 'Local');
  return platform === 'darwin' ? join(homedir(), 'Library', 'Application Support') : join(homedir(), '.local', 'state');
}
