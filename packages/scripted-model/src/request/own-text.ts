/** Spans that agent CLIs put into the user's messages. */
const SPANS = ['system-reminder', 'session_context', 'hook_context'] as const;

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
  const own = SPANS.reduce(withoutSpan, text).trim();
  return HARNESS_OPENINGS.some((opening) => own.startsWith(opening)) ? '' : own;
}

function withoutSpan(text: string, name: string): string {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  let kept = '';
  let at = 0;
  while (true) {
    const start = text.indexOf(opening, at);
    if (start === -1) return kept + text.slice(at);
    const end = text.indexOf(closing, start);
    if (end === -1) return kept + text.slice(at);
    kept += text.slice(at, start);
    at = end + closing.length;
  }
}
