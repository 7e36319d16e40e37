import { join } from 'node:path';
import type { JsonObject, LaunchRequest } from '@devs/core';
import { objectIn, textIn } from '../../reading/json.js';
import { readSettings } from './read-given.js';

const ofUser = ({ home, env }: LaunchRequest) => join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json');
const OF_PROJECT = [join('.claude', 'settings.json'), join('.claude', 'settings.local.json')];

/**
 * The permission mode in the user's settings, if these alone name one. An agent without a person is told it again at its
 * launch: Claude Code otherwise asks once, in a dialog, whether auto mode should replace it (2.1.325). No environment variable
 * turns the dialog off; a mode in `--settings` does, and changes nothing.
 */
export async function keptPermissionMode(request: LaunchRequest): Promise<string | undefined> {
  if (request.unattended !== true) return undefined;
  const modes = await Promise.all(
    [ofUser(request), ...OF_PROJECT].map(async (path) => permissionModeIn(await readSettings(path, request.folder))),
  );
  const [own, ...others] = modes;
  return own === 'auto' || others.some((mode) => mode !== undefined) ? undefined : own;
}

export const permissionModeIn = (settings: JsonObject | undefined): string | undefined =>
  textIn(objectIn(settings?.permissions)?.defaultMode);
