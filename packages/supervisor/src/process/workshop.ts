import type { Dispatcher, MachineFacts, TaskRecord } from '@devs/core';
import type { TerminalNotice } from '../notice.js';
import type { QueueRequest } from '../run/queue/run-task.js';
import type { RunEnd, RunHandle, RunParts } from '../run/run.js';
import type { SuperviseRequest } from '../supervised-terminal.js';
import type { Caller, MergeNews, QueueOrder, RunOrder } from './port.js';
import type { TerminalOrder } from './terminal-port.js';

/** What carrying out one order needs: opened for its caller, closed when it is over. */
export interface OpenedOrder {
  readonly parts: RunParts;
  /** Of a queue. */
  planFor(order: QueueOrder, task: TaskRecord): Awaited<ReturnType<QueueRequest['planFor']>>;
  /** It is at work now. Must not throw. */
  began(run: RunHandle): void;
  /** Tells the user by the program of their settings, and never rejects. */
  tellEnd(run: string, end: RunEnd): void;
  /** Brings the work of a run to the user's branch. Never rejects. */
  merge(run: string): Promise<MergeNews>;
  /** Removes what a merged run does not need any more. Never rejects. */
  tidy(run: string): Promise<void>;
  /** What a worker needs: who hands out the tasks, and what is said of this machine. Closed by the caller. */
  joinFleet(): Promise<{ readonly dispatcher: Dispatcher; readonly facts: MachineFacts }>;
  close(): Promise<void>;
}

/** What supervising one terminal of the user needs: opened for its caller, closed when it is over. */
export interface OpenedTerminal {
  readonly request: SuperviseRequest;
  /** Notifies the user by the program of their settings. Must not throw. */
  tell(notice: TerminalNotice): void;
  close(): Promise<void>;
}

/** Makes what runs and terminals are made of, in the environment of their caller. Rejects where that is not possible, with words for people. */
export interface Workshop {
  open(order: RunOrder | QueueOrder, caller: Caller): Promise<OpenedOrder>;
  /** The host of the caller's terminals, which needs no store. */
  openHost(caller: Caller): ReturnType<RunParts['openHost']>;
  openTerminal(order: TerminalOrder, caller: Caller): Promise<OpenedTerminal>;
}
