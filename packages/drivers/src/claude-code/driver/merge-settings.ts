import type { HookRequest, JsonObject } from '@devs/core';
import { shellWords } from '../../driving/shell-words.js';
import { listIn, objectIn } from '../../reading/json.js';

/**
 * Merges our hooks into the user's own `--settings`, after theirs: of two `--settings` Claude Code uses only the last
 * (measured). Claude Code also runs the hooks of the user's settings files. Merging twice adds nothing.
 */
export function mergeSettings(user: JsonObject, hooks: HookRequest): JsonObject {
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
