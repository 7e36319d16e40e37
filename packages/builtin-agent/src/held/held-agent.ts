/** An agent that a program of devs holds in a terminal, with one conversation at a time. */
export interface HeldAgent {
  /** As the agent calls itself. */
  readonly title: string;
  /** One after the other. Rejects where the agent has ended. */
  prompt(text: string, id: string): Promise<void>;
  /** Ends the turn that is under way. `false` where there is none. */
  interrupt(): boolean;
  /** `false` where this agent is not known to report it. */
  compact(): Promise<boolean>;
  clear(): Promise<void>;
  /** Has it say how full its context is; left out where it does so by itself. */
  usage?(): void;
  /** `settled`: the words, if there were any, are still to be told · `told`: with the words · `none`: no such permission is open */
  answer(requestId: string, choice: string, words?: string): 'settled' | 'told' | 'none';
  /** Resolves when its process has ended, with what it said last. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}
