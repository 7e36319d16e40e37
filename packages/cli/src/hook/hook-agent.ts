/** What differs between the agents that call hooks. */
export interface HookAgent {
  /** As in `devs hook NAME`. */
  readonly name: string;
  /** As `@devs/drivers` calls it. */
  readonly source: 'claude' | 'codex';
  /** Text of a hook that is longer does not reach the model: Claude Code puts it into a file (measured, 2.1.325). */
  readonly longestAnswerChars: number;
  /** Whether the agent itself runs a hook in the background where its settings ask for it. */
  readonly hasBackgroundHooks: boolean;
  /** In lines of the transcript that tell of work done. */
  readonly workMarks: readonly string[];
  /** In lines that the user may have written. */
  readonly promptMarks: readonly string[];
  /** How the user gets the whole document there. */
  readonly wholeDocument: string;
}

export const HOOK_AGENTS: readonly HookAgent[] = [
  {
    name: 'claude-code',
    source: 'claude',
    longestAnswerChars: 10_000,
    hasBackgroundHooks: true,
    workMarks: ['"type":"assistant"', '"type":"tool_result"'],
    promptMarks: ['"type":"user"'],
    wholeDocument: '`/devs:handoff` shows the whole of it.',
  },
  {
    name: 'codex',
    source: 'codex',
    longestAnswerChars: 10_000,
    hasBackgroundHooks: false,
    workMarks: ['"type":"message","role":"assistant"', '"type":"function_call', '"type":"custom_tool_call'],
    promptMarks: ['"type":"user_message"', '"role":"user"'],
    wholeDocument: '`devs handoff` shows the whole of it.',
  },
];
