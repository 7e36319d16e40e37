/** Where a signal comes from, the most trusted first. */
export const SIGNAL_SOURCES = ['status-file', 'hook', 'transcript', 'title', 'screen'] as const;

export type SignalSource = (typeof SIGNAL_SOURCES)[number];

/**
 * What a signal says of the agent. `not-busy` is for signals that look the same for an idle agent and for one that waits for
 * an answer, such as a title. `unknown` takes back what the source said before.
 */
export type SignalMeaning = 'busy' | 'idle' | 'waiting' | 'not-busy' | 'unknown';

/** One thing that was seen of a terminal. An adapter may report the same signal again and again. */
export type TerminalObservation = { readonly at: number } & (
  | { readonly type: 'terminal.spawned' }
  | { readonly type: 'terminal.exited'; readonly exitCode: number; readonly signal?: number }
  | {
      readonly type: 'signal.seen';
      readonly source: SignalSource;
      readonly says: SignalMeaning;
      /** What was seen, for people: `Stop hook`, `◐ Claude Code`. */
      readonly detail: string;
    }
  | { readonly type: 'background.counted'; readonly subAgents: number; readonly shells: number }
);
