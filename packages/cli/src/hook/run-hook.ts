import type { HookPayload } from './hook-payload.js';
import type { HookWorld } from './hook-world.js';
import { onEnd, onPause } from './on-pause.js';
import { onPrompt } from './on-prompt.js';
import { onSessionStart } from './on-session-start.js';

/** What the agent is answered, as it is printed; nothing where there is nothing to say. May reject. */
export async function runHook(world: HookWorld, payload: HookPayload): Promise<string | undefined> {
  // A sub-agent got its instructions from its parent.
  if (!world.settings.enabled || payload.subAgent !== undefined) return undefined;
  const text = await textFor(world, payload);
  if (text === undefined) return undefined;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: payload.event, additionalContext: text } });
}

/** Events that are not named are none of ours: agents have dozens, and get new ones. */
async function textFor(world: HookWorld, payload: HookPayload): Promise<string | undefined> {
  switch (payload.event) {
    case 'SessionStart':
      return onSessionStart(world, payload);
    case 'UserPromptSubmit':
      return onPrompt(world, payload);
    case 'Stop':
    case 'PreCompact':
      await onPause(world, payload);
      return undefined;
    case 'SessionEnd':
      await onEnd(world, payload);
      return undefined;
    default:
      return undefined;
  }
}
