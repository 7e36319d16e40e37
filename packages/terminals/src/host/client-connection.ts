import type { Socket } from 'node:net';
import { createFrameDecoder, encodeControl, encodeOutputHead, type Frame } from '../protocol/frames.js';
import type { HostMessage } from '../protocol/messages.js';
import type { HostedTerminal } from './hosted-terminal.js';
import type { LinkedSize } from './size-history.js';

/** One client of the host and its watches. */
export interface ClientConnection {
  send(message: HostMessage): void;
  watch(terminal: HostedTerminal, request: { readonly watch: number; readonly from: number }): void;
  unwatch(watch: number): void;
  /** There is more of this terminal, or its size is another one. */
  changed(terminal: HostedTerminal): void;
}

interface Watch {
  readonly id: number;
  readonly terminal: HostedTerminal;
  sent: number;
  /** The last size sent to the client. */
  size: LinkedSize;
}

/** How much may wait in a socket. Below it, output goes in as it comes; above it, the rest stays in the rings. */
const SOCKET_BYTES = 512 << 10;
const CHUNK_BYTES = 64 << 10;
/** A terminal is read in pieces of 4 KB: sent one by one, the frames would cost more than the reading. */
const COALESCE_MS = 2;

/**
 * Sends each client its missing output straight from the rings. Nothing is queued, so a slow client cannot slow an
 * agent or fill the memory. Output that a ring has lost is skipped and reported. Terminals take turns.
 */
export function serveClient(socket: Socket, onFrame: (frame: Frame) => void): ClientConnection {
  const watches = new Map<number, Watch>();
  /** The same by terminal: looked up for every piece of output. */
  const watchers = new Map<HostedTerminal, Set<Watch>>();
  const due = new Set<Watch>();
  let scheduled = false;
  let pumpedAt = 0;

  const schedule = () => {
    if (scheduled || socket.destroyed) return;
    scheduled = true;
    if (performance.now() - pumpedAt < COALESCE_MS) setTimeout(pump, COALESCE_MS);
    else setImmediate(pump);
  };
  const resume = () => {
    if (due.size > 0 && !scheduled) pump();
  };
  const pump = () => {
    scheduled = false;
    pumpedAt = performance.now();
    if (socket.destroyed) return;
    socket.cork();
    // A set also iterates over entries added meanwhile: a watch with more output waits until the others had their turn.
    for (const watch of due) {
      if (socket.writableLength > SOCKET_BYTES) break;
      due.delete(watch);
      if (sendNext(watch)) due.add(watch);
    }
    socket.uncork();
    if (due.size > 0 && !socket.writableNeedDrain) schedule(); // else `drain` continues
  };
  const tellSize = ({ id, size: { columns, rows } }: Watch) =>
    connection.send({ event: 'terminal.resized', watch: id, columns, rows });
  /** Every change, between the bytes where it was made. */
  const tellSizes = (watch: Watch) => {
    for (let { next } = watch.size; next !== undefined && next.offset <= watch.sent; { next } = next) {
      watch.size = next;
      tellSize(watch);
    }
  };
  /** Whether there is more to send. */
  const sendNext = (watch: Watch): boolean => {
    const { id, terminal } = watch;
    const { ring } = terminal;
    if (watch.sent < ring.start) {
      connection.send({ event: 'output.skipped', watch: id, from: watch.sent, to: ring.start });
      watch.sent = ring.start;
    }
    tellSizes(watch);
    const next = watch.size.next?.offset ?? Number.POSITIVE_INFINITY;
    const { bytes, giveBack } = ring.lend(watch.sent, Math.min(CHUNK_BYTES, next - watch.sent));
    if (bytes.length === 0) giveBack();
    else {
      socket.write(encodeOutputHead(id, watch.sent, bytes.length));
      socket.write(bytes, giveBack); // also when it fails
      watch.sent += bytes.length;
    }
    if (watch.sent < ring.end) return true;
    tellSizes(watch);
    if (terminal.exit !== undefined) {
      connection.send({ event: 'terminal.exited', watch: id, terminal: terminal.describe() });
      connection.unwatch(id);
    }
    return false;
  };

  const connection: ClientConnection = {
    send: (message) => void socket.write(encodeControl(message)),
    watch(terminal, { watch: id, from }) {
      connection.unwatch(id);
      const sent = Math.min(from, terminal.ring.end);
      const watch = { id, terminal, sent, size: terminal.sizes.at(sent) };
      tellSize(watch);
      watches.set(id, watch);
      watchers.set(terminal, (watchers.get(terminal) ?? new Set()).add(watch));
      due.add(watch);
      schedule();
    },
    unwatch(id) {
      const watch = watches.get(id);
      if (watch === undefined) return;
      due.delete(watch);
      watches.delete(id);
      const others = watchers.get(watch.terminal);
      others?.delete(watch);
      if (others?.size === 0) watchers.delete(watch.terminal);
    },
    changed(terminal) {
      const watching = watchers.get(terminal);
      if (watching === undefined) return;
      for (const watch of watching) due.add(watch);
      if (!socket.writableNeedDrain) schedule();
    },
  };
  socket.on('drain', resume);
  const decode = createFrameDecoder(onFrame);
  socket.on('data', (chunk: Buffer) => {
    try {
      decode(chunk);
    } catch {
      socket.destroy(); // not a client of ours
    }
  });
  return connection;
}
