/** How a request is known again, on the screen and in the transcript: it ends with this. */
export const requestMark = (newAgentId: string): string => `(handoff request ${newAgentId.slice(0, 13)})`;

/**
 * What the agent is asked before it goes. In one line, so that any agent can be asked; never with a command in front that
 * makes it forget (H1).
 */
export const handoffRequest = (newAgentId: string): string =>
  [
    'This conversation will be replaced by a fresh one that knows only what you write down now. Start nothing new.',
    'If you have the tool handoff_write, call it with your handoff; else answer with a section headed "## HANDOFF".',
    'Say what the goal is, what is done, what is not, what was decided and why, what failed, and what to do next.',
    'Then end your turn.',
    requestMark(newAgentId),
  ].join(' ');

/** What a fresh agent is told to do first; what it is about is in its instructions. */
export const GO_ON_PROMPT =
  'Go on with the work of the conversation before this one, as its handoff in your instructions describes it. First check the state of the files that it names.';

/** The same for an agent that is given nothing at its start: all of it is in a file, since a long text may not fit its screen. */
export const readFilePrompt = (path: string): string => `Read all of ${path} and do what it says.`;

/** What an agent is told that was opened again after a crash. */
export const RESUME_PROMPT = 'You were interrupted. Look at what was done already, then go on where you were.';

/** What an agent is told that was restarted because it had no workflow tools. */
export const TOOLS_PROMPT =
  'The tools of the MCP server `devs` were missing, so you were started again. Call `workflow_status` now, and go on with the step that it names.';

/** What an agent is told when the provider answers again. */
export const AFTER_LIMIT_PROMPT = 'The provider answers again. Go on where you were.';

/** What stands in front of a ledger that is given back after a compaction. */
export const LEDGER_LEAD =
  'Your context was compacted. This is a record of what came before it, from your own transcript; it may hold what the summary left out. Keep it in mind and go on; do not answer it.';

/** How a prompt to continue a run begins. */
export const CONTINUE_LEAD = 'The workflow is not finished.';

/** Whether devs wrote this prompt: the transcript holds it like a request, and it is not the user's. */
export const isOwnPrompt = (text: string): boolean =>
  /\(handoff request [^()\s]+\)\s*$/.test(text) ||
  [GO_ON_PROMPT, RESUME_PROMPT, TOOLS_PROMPT, AFTER_LIMIT_PROMPT].some(
    (own) => text.trim() === own || text.startsWith(`${own}\n\n`),
  ) ||
  /^Read all of \S+ and do what it says\.$/.test(text) ||
  text.startsWith(LEDGER_LEAD) ||
  text.startsWith(CONTINUE_LEAD) ||
  text.startsWith('[CONTEXT REFRESH]');
