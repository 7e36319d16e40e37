import type { HookRequest, JsonObject } from '@devs/core';
import { shellWords } from '../../driving/shell-words.js';
import { listIn, objectIn } from '../../reading/json.js';

/**
 * The user's own `--settings` with our hooks behind his: of two `--settings` Claude Code takes the last one only
 * (measured). The hooks of his settings files are not here; Claude Code runs them besides. Merging twice adds nothing.
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
