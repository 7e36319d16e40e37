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
const LONGEST_PAUSE_MS = 5_000;
const ANSWER_MS = 2_000;

export function openLiveLink(deps: LinkDeps, events: LinkEvents): LiveLink {
  let socket: LiveSocket | undefined;
  let isReady = false;
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  const timer = createTimer(deps);
  /** Closes the connection unless something is heard in time. */
  const expectWithin = (ms: number) => timer.set(ms, () => socket?.close());
  const heard = () => {
    expectWithin(3 * BEAT_MS);
    deps.onHeard?.();
  };
  const say = (message: ClientMessage) => {
    if (socket !== undefined && (isReady || message.type === 'hello')) socket.send(JSON.stringify(message));
  };
  const onOpen = () => say({ type: 'hello', token: deps.token() ?? '' });
  const onText = (text: string) => {
    heard();
    const message = deps.parse(text);
    if (message?.type === 'ready') {
      isReady = true;
      pauseMs = FIRST_PAUSE_MS;
      events.onReady(message);
    } else if (message !== undefined && isReady) events.onMessage(message);
  };
  const onBinary = (bytes: Uint8Array) => {
    heard();
    if (isReady) events.onBinary(bytes);
  };
  const open = () => {
    socket = deps.connect({ onOpen, onText, onBinary, onClose: lost });
    expectWithin(3 * BEAT_MS);
  };
  const lost = () => {
    socket = undefined;
    timer.stop();
    if (isReady) events.onLost();
    isReady = false;
    if (isClosed) return;
    timer.set(pauseMs, open);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  };
  open();
  return {
    get isReady() {
      return isReady;
    },
    say,
    sendBinary: (bytes) => void (isReady && socket?.send(bytes)),
    check() {
      say({ type: 'ping', id: 0 });
      if (isReady) expectWithin(ANSWER_MS);
    },
    close() {
      isClosed = true;
      timer.stop();
      socket?.close();
    },
  };
}

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
