import * as modules from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Enables Node's compile cache, which speeds up the next start. Kept in the user's own state, where commands of agents
 * cannot write: its content is executed.
 *
 * @param {Pick<NodeJS.Process, 'env' | 'platform'>} process
 */
export function keepCompiled({ env, platform }) {
  const enable = 'enableCompileCache' in modules ? modules.enableCompileCache : undefined;
  if (typeof enable !== 'function') return;
  try {
    enable(join(stateFolder(env, platform), 'devs', 'compiled'));
  } catch {} // without a home folder the start is as fast as before
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
