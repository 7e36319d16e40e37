import { CONTEXT_REFRESH } from '../protocol/context-refresher.js';

/** Begins every prompt of devs: the transcript holds it like a request of the user, and it is not one. */
const OWN = '[devs] ';

/** How a request is known again, on the screen and in the transcript: it ends with this. */
export const requestMark = (newAgentId: string): string => `(handoff request ${newAgentId.slice(0, 13)})`;

/**
 * What the agent is asked before it goes. In one line, so that any agent can be asked; never with a command in front that
 * makes it forget (H1).
 */
export const handoffRequest = (newAgentId: string): string =>
  [
    'This conversation will be replaced by a fresh one, which knows only what you write down now. Start nothing new.',
    'If you have the tool handoff_write, call it with your handoff; else answer with a section headed "## HANDOFF".',
    'Say what the goal is, what is done, what is not, what was decided and why, what failed, and what to do next.',
    'Then end your turn.',
    requestMark(newAgentId),
  ].join(' ');

/** What a fresh agent is told to do first; what it is about is in its instructions. */
export const GO_ON_PROMPT = `${OWN}Continue the work of the conversation before this one, as its handoff in your instructions describes it. First check the state of the files that it names.`;

/** The same for an agent that is given nothing at its start: all of it is in a file, since a long text may not fit its screen. */
export const readFilePrompt = (path: string): string => `${OWN}Read all of ${path} and do what it says.`;

/** What an agent is told that was opened again after a crash. */
export const RESUME_PROMPT = `${OWN}You were interrupted. Look at what was done already, then continue where you were.`;

/** What an agent is told that was restarted because it had no workflow tools. */
export const TOOLS_PROMPT = `${OWN}The tools of the MCP server \`devs\` were missing, so you were started again. Call \`workflow_status\` now, and continue with the step that it names.`;

/** What an agent is told when the provider answers again. */
export const AFTER_LIMIT_PROMPT = `${OWN}The provider answers again. Continue where you were.`;

/** What stands in front of a ledger that is given back after a compaction. */
export const LEDGER_LEAD = `${OWN}Your context was compacted. This is a record of what came before it, from your own transcript; it may hold what the summary left out. Keep it in mind and continue; do not answer it.`;

/** How a prompt to continue a run begins. */
export const CONTINUE_LEAD = `${OWN}The workflow is not finished.`;

/** Whether devs wrote this prompt: the transcript holds it like a request, and it is not the user's. */
export const isOwnPrompt = (text: string): boolean =>
  text.startsWith(OWN) || text.startsWith(CONTEXT_REFRESH) || /\(handoff request [^()\s]+\)\s*$/.test(text);
