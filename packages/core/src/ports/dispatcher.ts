/** Says that a task may be begun. The task's record decides whether it still may. */
export interface Ticket {
  readonly task: string;
  /** Labels that a machine must have for it; sorted, each once. */
  readonly needs: readonly string[];
  /** Higher comes first. */
  readonly priority: number;
}

/** Where work is done. */
export interface Machine {
  readonly name: string;
  /** Number of tasks at a time. */
  readonly slots: number;
  readonly labels: readonly string[];
}

/**
 * Hands out tickets to machines.
 *
 * Contract: at least once, in any order, nothing more. An issued ticket reaches a machine with the needed labels; several
 * machines may get it, and a dispatcher may forget all tickets. Callers issue the tickets of startable tasks again and
 * again, and claim the task before they work on it.
 */
export interface Dispatcher {
  /** Tickets that are waiting or being worked on are not issued twice. */
  issue(tickets: readonly Ticket[]): Promise<void>;
  /**
   * Hands out tickets, at most `slots` at a time, until the signal. Resolves when the last of them is worked off. `work`
   * must not reject.
   */
  serve(machine: Machine, work: (ticket: Ticket) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Hands out no ticket with exactly these needs for a time, to any machine. */
  hold(needs: readonly string[], ms: number): Promise<void>;
  close(): Promise<void>;
}
