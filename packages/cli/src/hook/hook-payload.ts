/** An agent's payload for a hook, reduced to the parts used here. The same for Claude Code and Codex. */
export interface HookPayload {
  readonly event: string;
  readonly conversation: string;
  readonly transcript: string;
  readonly folder: string;
  /** Of `SessionStart`: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string | undefined;
  /** Set where the hook fires within a sub-agent. */
  readonly subAgent: string | undefined;
}

/** `undefined` for an invalid payload, including one of an incompatible version. Never throws. */
export function parseHookPayload(text: string): HookPayload | undefined {
  const fields = objectIn(text);
  const event = textIn(fields?.hook_event_name);
  const conversation = textIn(fields?.session_id);
  const transcript = textIn(fields?.transcript_path);
  const folder = textIn(fields?.cwd);
  if (event === undefined || conversation === undefined || transcript === undefined || folder === undefined) {
    return undefined;
  }
  return {
    event,
    conversation,
    transcript,
    folder,
    source: textIn(fields?.source),
    subAgent: textIn(fields?.agent_id),
  };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
