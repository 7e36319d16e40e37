import type { TypingOutcome } from '@devs/core';
import type { InterruptOutcome } from '../act/interrupt-turn.js';
import type { UserPresence } from '../attendance.js';
import type { RenewOutcome, TerminalStatus, UndoOutcome } from '../supervised-terminal.js';
import type { Caller, NumberedNotice, StoreAddress, WaitFor } from './port.js';

/** An agent in a terminal of its user. */
export interface TerminalOrder {
  /** Chosen by the caller: an order that is sent twice is carried out once. */
  readonly token: string;
  readonly name: string;
  readonly agent: string;
  /** Folder that the agent works in. */
  readonly folder: string;
  readonly store: StoreAddress;
  /** `start`: a new conversation · `resume`: its last conversation, again · `take-up`: what runs and is not supervised. */
  readonly subject:
    | { readonly kind: 'start' | 'resume'; readonly args: readonly string[] }
    | {
        readonly kind: 'take-up';
        /** As the user typed them, where they are still known. */
        readonly args?: readonly string[];
      };
  /** The window that its user sits in front of. */
  readonly window?: string;
  readonly size?: { readonly columns: number; readonly rows: number };
}

export type TerminalStarted =
  | { readonly status: 'started'; readonly name: string; readonly notes: readonly string[] }
  /** Another agent runs under this name. */
  | { readonly status: 'taken' }
  /** Nothing runs under this name. */
  | { readonly status: 'not-running' }
  /** Something runs under this name, and devs has no records of it. */
  | { readonly status: 'unknown' }
  | { readonly status: 'refused'; readonly reason: string };

/** A terminal as its followers see it. Higher `revision`: newer. */
export interface TerminalNews {
  readonly revision: number;
  readonly name: string;
  /** The run whose agent works in it. */
  readonly run?: string;
  /** Once its agent was started. */
  readonly status?: TerminalStatus;
  /** How the context window of its model is known, where it is not certain. */
  readonly window?: 'assumed' | 'unknown';
  readonly notices: readonly NumberedNotice[];
  /** Its agent has ended, or only its user can continue. */
  readonly isOver: boolean;
  /** The supervisor lets go of it: the next one continues. */
  readonly isLeft: boolean;
}

export type Acted<Result> =
  | { readonly status: 'done'; readonly result: Result }
  | { readonly status: 'not-supervised' }
  /** A run decides about it. */
  | { readonly status: 'of-run'; readonly run: string };

/** A user in front of a terminal, in a window that has a name of its own. */
interface Attending extends WaitFor {
  readonly window: string;
  readonly typed: boolean;
}

/** Terminals of the user and of runs, as clients see them. */
export interface TerminalsPort {
  start(order: TerminalOrder, caller: Caller): Promise<TerminalStarted>;
  list(): Promise<readonly TerminalNews[]>;
  wait(name: string, wait: WaitFor, signal?: AbortSignal): Promise<TerminalNews | undefined>;
  /** As `wait`. Its user is there while a call of the window is open, and a moment longer. */
  attend(name: string, attending: Attending, signal?: AbortSignal): Promise<TerminalNews | undefined>;
  /** Ends the attendance of one window at once. */
  leave(name: string, window: string): Promise<void>;
  /** A user whom another program attends. */
  user(name: string, is: UserPresence): Promise<void>;
  /** Gives a terminal that waits for its keys the environment of a caller who still has them. */
  provide(name: string, caller: Caller): Promise<void>;
  send(name: string, text: string): Promise<Acted<TypingOutcome>>;
  /** Also of a run, by its id. `words`: what the agent is told instead. */
  interrupt(name: string, words?: string): Promise<Acted<InterruptOutcome>>;
  renew(name: string, wish: { readonly dropsDraft: boolean }): Promise<Acted<RenewOutcome>>;
  undo(name: string): Promise<Acted<UndoOutcome>>;
  stop(name: string): Promise<Acted<'stopped'>>;
}
