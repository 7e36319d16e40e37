import type { HookRequest, JsonObject } from '@devs/core';
import { shellWords } from '../../driving/shell-words.js';
import { listIn, objectIn } from '../../reading/json.js';
import { permissionModeIn } from './kept-permission-mode.js';

interface Added {
  readonly hooks?: HookRequest | undefined;
  /** Permission mode, unless the user's own `--settings` name one. */
  readonly mode?: string | undefined;
}

/**
 * Merges our settings into the user's own `--settings`: of two `--settings` Claude Code uses only the last (measured). Merging
 * twice adds nothing.
 */
export function mergeSettings(user: JsonObject, { hooks, mode }: Added): JsonObject {
  const withHooks = hooks === undefined ? user : mergeHooks(user, hooks);
  if (mode === undefined || permissionModeIn(user) !== undefined) return withHooks;
  return { ...withHooks, permissions: { ...objectIn(user.permissions), defaultMode: mode } } as JsonObject;
}

/** Our hooks follow the user's. Claude Code also runs the hooks of the user's settings files. */
function mergeHooks(user: JsonObject, hooks: HookRequest): JsonObject {
  const mine = objectIn(user.hooks) ?? {};
  const command = shellWords(hooks.command);
  const timeout = hooks.timeoutSeconds === undefined ? {} : { timeout: hooks.timeoutSeconds };
  const oursFor = (event: string) => {
    const background = hooks.background?.includes(event) === true ? { async: true } : {};
    return { hooks: [{ type: 'command', command, ...background, ...timeout }] };
  };
  const merged = Object.fromEntries(
    hooks.events.map((event) => {
      const ours = oursFor(event);
      const others = listIn(mine[event]).filter((entry) => JSON.stringify(entry) !== JSON.stringify(ours));
      return [event, [...others, ours]];
    }),
  );
  return { ...user, hooks: { ...mine, ...merged } } as JsonObject;
}
