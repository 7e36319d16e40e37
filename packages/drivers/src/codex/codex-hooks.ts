import type { HookCommand } from '../agent-entry.js';
import { shellWords } from '../driving/shell-words.js';

/**
 * Codex starts hooks through a shell, and waits for all of them; long work continues in the background. At the end of
 * a conversation it gives them three seconds and complains about more.
 */
const TIMEOUT_SECONDS = { SessionStart: 10, UserPromptSubmit: 10, PreCompact: 10, Stop: 10, SessionEnd: 3 } as const;

/** What belongs into `hooks.json` of Codex's home folder. */
export function codexHooks({ file, args }: HookCommand): object {
  const command = shellWords([file, ...args]);
  const hooks = Object.entries(TIMEOUT_SECONDS).map(([event, timeout]) => [
    event,
    [{ hooks: [{ type: 'command', command, timeout }] }],
  ]);
  return { hooks: Object.fromEntries(hooks) };
}
