import type { AgentInspection, TypingOutcome } from '@devs/core';
import type { InterruptOutcome, RenewOutcome, UndoOutcome } from '@devs/supervisor';
import type { Seat } from '@devs/terminals/admission';
import type { StoreLocation } from '../store-access/store-location.js';
import type { TerminalListing } from './listing/terminal-listing.js';
import type { TerminalHoldings } from './purge-terminals.js';
import type { AgentStart } from './start-agent.js';
import type { StopReport } from './stop-terminal.js';

/**
 * The user's agents in terminals, as commands use them.
 *
 * Contract: a name may be given by its beginning; an unknown or ended terminal rejects with a `CliError` that lists
 * the existing ones. Calls that attach the user to a terminal resolve with the exit code of this process.
 */
export interface Terminals {
  /** Whether this process sits in a terminal of devs: commands that are the user's alone refuse there. */
  seat(): Promise<Seat>;
  start(request: AgentStart): Promise<number>;
  attach(name: string, options: { readonly watch: boolean }): Promise<number>;
  resume(name: string): Promise<number>;
  send(name: string, text: string): Promise<{ readonly name: string; readonly outcome: TypingOutcome }>;
  /** Also of a run, by its id. */
  interrupt(name: string, words?: string): Promise<{ readonly name: string; readonly outcome: InterruptOutcome }>;
  stop(name: string): Promise<StopReport>;
  renew(
    name: string,
    wish: { readonly dropsDraft: boolean },
  ): Promise<{ readonly name: string; readonly outcome: RenewOutcome }>;
  undoRenewal(name: string): Promise<{ readonly name: string; readonly outcome: UndoOutcome }>;
  list(): Promise<readonly TerminalListing[]>;
  /** What is kept of the terminals whose records are there. */
  holdingsOf(location: StoreLocation): Promise<TerminalHoldings>;
  /** Removes what is kept of terminals that have ended. */
  purge(names: readonly string[]): Promise<void>;
  /** Which agents there are, and what becomes of the terminals. */
  examine(): Promise<TerminalsExamination>;
}

export interface TerminalsExamination {
  readonly agents: readonly { readonly agent: string; readonly inspection: AgentInspection }[];
  readonly host: HostExamination;
  /** What of the settings was not understood. */
  readonly problems: readonly string[];
}

export type HostExamination =
  | { readonly kind: 'running'; readonly pid: number; readonly terminals: number; readonly folder: string }
  | { readonly kind: 'none'; readonly folder: string }
  | { readonly kind: 'unusable'; readonly reason: string };
