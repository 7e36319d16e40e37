/** Spans that agent CLIs put into the user's messages. */
const REMINDER_START = '<system-reminder>';
const REMINDER_END = '</system-reminder>';

/** Messages in the user's name that no user wrote begin like this. */
const HARNESS_OPENINGS = [
  '# AGENTS.md instructions',
  '<environment_context>',
  '<user_instructions>',
  '<turn_aborted>',
  '<local-command-stdout>',
  '<local-command-caveat>',
  '<command-name>',
  '<bash-input>',
  '<bash-stdout>',
  '<session_context>',
] as const;

/** The user's own part of their message: without additions of the agent CLI, trimmed. */
export function ownText(text: string): string {
  const own = withoutReminders(text).trim();
  return HARNESS_OPENINGS.some((opening) => own.startsWith(opening)) ? '' : own;
}

function withoutReminders(text: string): string {
  let kept = '';
  let at = 0;
  while (true) {
    const start = text.indexOf(REMINDER_START, at);
    if (start === -1) return kept + text.slice(at);
    const end = text.indexOf(REMINDER_END, start);
    if (end === -1) return kept + text.slice(at);
    kept += text.slice(at, start);
    at = end + REMINDER_END.length;
  }
}
