import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { hooksHome, listHookFolders } from '../hook/hook-folder.js';
import type { ConversationDeps } from './create-conversations.js';

/** In `.devs/`. */
export const HANDOFF_FOLDER = 'handoffs';

/**
 * Where the built-in agent and the hooks keep the conversations of the project: those in its folders, and those in the work
 * trees of its runs, also where these are gone. Not those of another project below it.
 */
export async function findKeptFolders(deps: ConversationDeps): Promise<readonly string[]> {
  const { loadAgents, loadWorktree, loadStores, env, platform, home } = deps;
  const [{ listBuiltinFolders }, { runsFolder, oldRunsFolder }, { findProjectRoot }] = await Promise.all([
    loadAgents(),
    loadWorktree(),
    loadStores(),
  ]);
  const root = findProjectRoot(await realpath(deps.folder).catch(() => deps.folder)); // the agent knows where it really is
  const runs = [runsFolder(root, env), oldRunsFolder(root)];
  const isOurs = (folder: string) =>
    findProjectRoot(folder) === root || runs.some((parent) => folder.startsWith(join(parent, sep)));
  const hooks = hooksHome({ env, platform, home });
  const kept = [
    ...(await listBuiltinFolders({ home, env })),
    ...(hooks === undefined ? [] : listHookFolders(hooks).map(({ path, project }) => ({ path, folder: project }))),
  ];
  return kept.filter(({ folder }) => isOurs(folder)).map(({ path }) => path);
}
