import type { Prompt } from './find-prompt.js';
import type { ModelRequest } from './model-request.js';

/** Why an agent asks: for its work, to shorten its conversation, or for a name for it. */
export type Purpose = 'turn' | 'compaction' | 'title';
export const PURPOSES = ['turn', 'compaction', 'title'] as const satisfies readonly Purpose[];

interface Sign {
  readonly purpose: Purpose;
  readonly where: 'system' | 'prompt';
  readonly phrase: string;
}

/** Texts of the CLIs, measured: Claude Code 2.1.325, Codex 0.166, opencode 1.18, Gemini CLI 0.61. */
const SIGNS: readonly Sign[] = [
  { purpose: 'compaction', where: 'prompt', phrase: 'Your task is to create a detailed summary of' },
  { purpose: 'compaction', where: 'prompt', phrase: 'You are performing a CONTEXT CHECKPOINT COMPACTION' },
  { purpose: 'compaction', where: 'prompt', phrase: 'Create a new anchored summary from the conversation history' },
  { purpose: 'compaction', where: 'prompt', phrase: 'Update the anchored summary' },
  { purpose: 'compaction', where: 'system', phrase: 'distilling chat history into a structured XML <state_snapshot>' },
  { purpose: 'title', where: 'system', phrase: 'You are a title generator' },
  { purpose: 'title', where: 'prompt', phrase: 'Generate a concise, single-line task title' },
];

/** A conversation that has been compacted says so. */
const SUMMARY_OPENINGS = [
  'This session is being continued from a previous conversation',
  'Another language model started to solve this problem',
];

export interface Asked {
  readonly purpose: Purpose;
  /** Where directives may appear: a request to shorten or name a conversation quotes other prompts. */
  readonly scriptable: string;
}

export function purposeOf({ system }: Pick<ModelRequest, 'system'>, { text }: Pick<Prompt, 'text'>): Asked {
  for (const { purpose, where, phrase } of SIGNS) {
    const at = (where === 'system' ? system : text).lastIndexOf(phrase);
    if (at === -1) continue;
    return { purpose, scriptable: purpose === 'compaction' && where === 'prompt' ? text.slice(at) : '' };
  }
  return { purpose: 'turn', scriptable: text };
}

export const wasCompacted = ({ messages }: Pick<ModelRequest, 'messages'>): boolean =>
  messages.some(
    ({ role, text }) => role === 'user' && SUMMARY_OPENINGS.some((opening) => text.trimStart().startsWith(opening)),
  );
