/** Where a signal comes from, the most trusted first. */
export const SIGNAL_SOURCES = ['status-file', 'hook', 'transcript', 'title', 'screen'] as const;

export type SignalSource = (typeof SIGNAL_SOURCES)[number];

/**
 * Meaning of a signal. `not-busy` is for signals that look the same for an idle and a waiting agent, such as a title.
 * `unknown` withdraws the source's previous statement.
 */
export type SignalMeaning = 'busy' | 'idle' | 'waiting' | 'not-busy' | 'unknown';

/** One observation of a terminal. An adapter may repeat the same signal. */
export type TerminalObservation = { readonly at: number } & (
  | { readonly type: 'terminal.spawned' }
  | { readonly type: 'terminal.exited'; readonly exitCode: number; readonly signal?: number }
  | {
      readonly type: 'signal.seen';
      readonly source: SignalSource;
      readonly says: SignalMeaning;
      /** The signal, for people: `Stop hook`, `◐ Claude Code`. */
      readonly detail: string;
    }
  | { readonly type: 'background.counted'; readonly subAgents: number; readonly shells: number }
);
