import { BEAT_MS } from '../live/frames.js';
import type { ClientMessage, ServerMessage } from '../live/messages.js';

/** One WebSocket: `ws` over a Unix socket, or the browser's own. */
export interface LiveSocket {
  send(message: string | Uint8Array): void;
  /** Closing it calls `onClose`, also where it was never open. */
  close(): void;
}

export interface LiveSocketEvents {
  onOpen(): void;
  onText(text: string): void;
  onBinary(bytes: Uint8Array): void;
  /** Called once. */
  onClose(): void;
}

export interface LinkDeps {
  connect(events: LiveSocketEvents): LiveSocket;
  token(): string | undefined;
  /** `undefined` for a message that this version does not know: it is passed over. */
  parse(text: string): ServerMessage | undefined;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** The connection delivered something, if only a heartbeat: shown data was true at that moment. */
  onHeard?(): void;
}

export interface LinkEvents {
  /** A connection is ready; everything that was said on another one has to be said again. */
  onReady(message: Extract<ServerMessage, { type: 'ready' }>): void;
  onMessage(message: ServerMessage): void;
  onBinary(bytes: Uint8Array): void;
  /** The connection is lost; another one is tried. */
  onLost(): void;
}

/** A WebSocket that comes back: after a loss, and after a silence that the server does not keep. */
export interface LiveLink {
  readonly isReady: boolean;
  /** Dropped while there is no connection. */
  say(message: ClientMessage): void;
  sendBinary(bytes: Uint8Array): void;
  /** After a sleep: a connection that does not answer within two seconds is replaced. */
  check(): void;
  close(): void;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const ANSWER_MS = 2_000;

export function openLiveLink(deps: LinkDeps, events: LinkEvents): LiveLink {
  const link = new ReconnectingLink(deps, events);
  link.open();
  return link;
}

class ReconnectingLink implements LiveLink {
  isReady = false;
  private socket: LiveSocket | undefined;
  private isClosed = false;
  private pauseMs = FIRST_PAUSE_MS;
  private readonly timer: Timer;

  constructor(
    private readonly deps: LinkDeps,
    private readonly events: LinkEvents,
  ) {
    this.timer = createTimer(deps);
  }

  open = (): void => {
    this.socket = this.deps.connect({
      onOpen: () => this.say({ type: 'hello', token: this.deps.token() ?? '' }),
      onText: (text) => this.hearText(text),
      onBinary: (bytes) => this.hearBinary(bytes),
      onClose: () => this.lost(),
    });
    this.expectWithin(3 * BEAT_MS);
  };

  say(message: ClientMessage): void {
    if (this.isReady || message.type === 'hello') this.socket?.send(JSON.stringify(message));
  }

  sendBinary(bytes: Uint8Array): void {
    if (this.isReady) this.socket?.send(bytes);
  }

  check = (): void => {
    this.say({ type: 'ping', id: 0 });
    if (this.isReady) this.expectWithin(ANSWER_MS);
  };

  close = (): void => {
    this.isClosed = true;
    this.timer.stop();
    this.socket?.close();
  };

  /** Closes the connection unless something is heard in time. */
  private expectWithin(ms: number): void {
    this.timer.set(ms, () => this.socket?.close());
  }

  private heard(): void {
    this.expectWithin(3 * BEAT_MS);
    this.deps.onHeard?.();
  }

  private hearText(text: string): void {
    this.heard();
    const message = this.deps.parse(text);
    if (message?.type === 'ready') {
      this.isReady = true;
      this.pauseMs = FIRST_PAUSE_MS;
      this.events.onReady(message);
    } else if (message !== undefined && this.isReady) this.events.onMessage(message);
  }

  private hearBinary(bytes: Uint8Array): void {
    this.heard();
    if (this.isReady) this.events.onBinary(bytes);
  }

  private lost(): void {
    this.socket = undefined;
    this.timer.stop();
    const wasReady = this.isReady;
    this.isReady = false;
    if (wasReady) this.events.onLost();
    if (this.isClosed) return;
    this.timer.set(this.pauseMs, this.open);
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
  }
}

type Timer = ReturnType<typeof createTimer>;

/** One thing to do later; the next one takes its place. */
function createTimer(deps: Pick<LinkDeps, 'after'>) {
  let stop = () => {};
  return {
    stop: () => stop(),
    set(ms: number, task: () => void) {
      stop();
      stop = deps.after(ms, task);
    },
  };
}
