import type { EndReport } from './processes/end-tree.js';
import type { ProcessInfo } from './processes/list-processes.js';
import type { HostedTerminal, Params, Refusal, Result } from './protocol/messages.js';

export type SpawnRequest = Params<'spawn'>;

export type SpawnOutcome =
  | { readonly kind: 'spawned'; readonly terminal: HostedTerminal }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly message: string };

export type WriteOutcome = 'written' | 'exited' | 'input-backlog';

export interface WatchRequest {
  readonly terminalId: string;
  /** Offset of the first byte that is wanted; the oldest that the host still has, unless given. */
  readonly from?: number;
  /** In order and without gaps, except those reported by `onSkipped`. The listener owns the bytes. */
  onOutput(bytes: Buffer, offset: number): void;
  /** This watcher was too slow or asked for lost output, which continues at `to`. */
  onSkipped?(from: number, to: number): void;
  /** Size of the terminal for the next bytes: at the start, and after each change. */
  onResized?(size: { readonly columns: number; readonly rows: number }): void;
  /** Called once, after the last byte. */
  onExit?(terminal: HostedTerminal): void;
}

export interface TerminalWatch {
  /** As it was when the watch began. */
  readonly terminal: HostedTerminal;
  /** No listener is called after it. */
  stop(): void;
}

/** What one client leaves for the next: the host keeps it and does not look into it. */
export interface KeptScreen {
  /** Which start of the terminal it belongs to. */
  readonly handle: number;
  readonly offset: number;
  readonly data: string;
}

interface EndOptions {
  readonly graceMs: number;
  /** Refused as `held-by-another` where another supervisor has taken the terminal since. */
  readonly holder?: string;
}

/**
 * The process that holds the terminals, from the side of a client.
 *
 * Contract: every method rejects with `TerminalHostUnavailableError` once the connection is gone, and nothing is retried
 * here; those that name a terminal reject with `TerminalHostRefusedError` where there is no such terminal. What may well
 * happen is an answer: see the outcomes. Closing the connection ends no terminal.
 */
export interface TerminalHost {
  /** Changes when the host is restarted. */
  readonly instance: string;
  readonly pid: number;
  spawn(request: SpawnRequest): Promise<SpawnOutcome>;
  list(): Promise<readonly HostedTerminal[]>;
  /** Resolves when the terminal has taken the bytes, which an agent that does not read can delay. */
  write(terminal: Pick<HostedTerminal, 'handle'>, data: string | Uint8Array): Promise<WriteOutcome>;
  resize(terminalId: string, size: { readonly columns: number; readonly rows: number }): Promise<void>;
  /** Which sizes the output was printed for, in order; `undefined` where the host does not know. */
  sizes(terminalId: string): Promise<Result<'sizes'> | undefined>;
  /** To the agent and its process group. */
  signal(terminalId: string, signal: Params<'signal'>['signal']): Promise<void>;
  /**
   * Sends SIGTERM, and after `graceMs` SIGKILL to the agent and all its children. Completes even without this client.
   */
  end(terminalId: string, options: EndOptions): Promise<EndReport>;
  /** Declares who supervises the terminal from now on, by a unique id. */
  hold(terminalId: string, holder: string): Promise<void>;
  /** The agent and everything it started that can be found. */
  processes(terminalId: string): Promise<readonly ProcessInfo[]>;
  /** The listeners may be called before it resolves, and are not once it rejected. */
  watch(request: WatchRequest): Promise<TerminalWatch>;
  keep(terminalId: string, screen: KeptScreen): Promise<void>;
  recall(terminalId: string): Promise<KeptScreen | undefined>;
  /** Forgets an exited terminal. Its output stays on disk for its time. */
  forget(terminalId: string): Promise<void>;
  /** This connection supervises: when it is lost, the host runs the command, a few times at most. */
  guard(order: Params<'guard'>): Promise<void>;
  /** Nothing is left to supervise: a lost connection starts nothing. */
  unguard(): Promise<void>;
  /** Kept in the memory of the host for the next supervisor; `undefined` removes it. */
  entrust(name: string, data: string | undefined): Promise<void>;
  entrusted(name: string): Promise<string | undefined>;
  /**
   * Called once when the connection ends without being closed here; at once if it has ended. Returns an unsubscribe
   * function.
   */
  onLost(listener: () => void): () => void;
  close(): void;
}
