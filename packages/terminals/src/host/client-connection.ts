import type { Socket } from 'node:net';
import { createPacer } from '../output/pacer.js';
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
/** A terminal is read in pieces of 4 KB: a stream that is sent one by one would cost more than the reading. */
const PACE = { burst: 8, everyMs: () => 2 };

export const serveClient = (socket: Socket, onFrame: (frame: Frame) => void): ClientConnection =>
  new ServedClient(socket, onFrame);

/**
 * Sends a client its missing output straight from the rings. Nothing is queued, so a slow client cannot slow an
 * agent or fill the memory. Output that a ring has lost is skipped and reported. Terminals take turns.
 */
class ServedClient implements ClientConnection {
  private readonly watches = new Map<number, Watch>();
  /** The same by terminal: looked up for every piece of output. */
  private readonly watchers = new Map<HostedTerminal, Set<Watch>>();
  private readonly due = new Set<Watch>();
  private isScheduled = false;
  private readonly pacer = createPacer(PACE);

  constructor(
    private readonly socket: Socket,
    onFrame: (frame: Frame) => void,
  ) {
    socket.on('drain', () => {
      if (this.due.size > 0 && !this.isScheduled) this.pump();
    });
    const decode = createFrameDecoder(onFrame);
    socket.on('data', (chunk: Buffer) => {
      try {
        decode(chunk);
      } catch {
        socket.destroy(); // not a client of ours
      }
    });
  }

  send(message: HostMessage): void {
    this.socket.write(encodeControl(message));
  }

  watch(terminal: HostedTerminal, { watch: id, from }: { readonly watch: number; readonly from: number }): void {
    this.unwatch(id);
    const sent = Math.min(from, terminal.ring.end);
    const watch = { id, terminal, sent, size: terminal.sizes.at(sent) };
    this.tellSize(watch);
    this.watches.set(id, watch);
    this.watchers.set(terminal, (this.watchers.get(terminal) ?? new Set()).add(watch));
    this.due.add(watch);
    this.schedule();
  }

  unwatch(id: number): void {
    const watch = this.watches.get(id);
    if (watch === undefined) return;
    this.due.delete(watch);
    this.watches.delete(id);
    const others = this.watchers.get(watch.terminal);
    others?.delete(watch);
    if (others?.size === 0) this.watchers.delete(watch.terminal);
  }

  changed(terminal: HostedTerminal): void {
    const watching = this.watchers.get(terminal);
    if (watching === undefined) return;
    for (const watch of watching) this.due.add(watch);
    if (!this.socket.writableNeedDrain) this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.socket.destroyed) return;
    this.isScheduled = true;
    const pump = () => this.pump();
    const waitMs = this.pacer.waitMs(performance.now());
    if (waitMs > 0) setTimeout(pump, waitMs);
    else setImmediate(pump);
  }

  private pump(): void {
    const { socket, due } = this;
    this.isScheduled = false;
    this.pacer.sent(performance.now());
    if (socket.destroyed) return;
    socket.cork();
    // A set also iterates over entries added meanwhile: a watch with more output waits until the others had their turn.
    for (const watch of due) {
      if (socket.writableLength > SOCKET_BYTES) break;
      due.delete(watch);
      if (this.sendNext(watch)) due.add(watch);
    }
    socket.uncork();
    if (due.size > 0 && !socket.writableNeedDrain) this.schedule(); // else `drain` continues
  }

  /** Whether there is more to send. */
  private sendNext(watch: Watch): boolean {
    const { id, terminal } = watch;
    const { ring } = terminal;
    if (watch.sent < ring.start) {
      this.send({ event: 'output.skipped', watch: id, from: watch.sent, to: ring.start });
      watch.sent = ring.start;
    }
    this.tellSizes(watch);
    const next = watch.size.next?.offset ?? Number.POSITIVE_INFINITY;
    const { bytes, giveBack } = ring.lend(watch.sent, Math.min(CHUNK_BYTES, next - watch.sent));
    if (bytes.length === 0) giveBack();
    else {
      this.socket.write(encodeOutputHead(id, watch.sent, bytes.length));
      this.socket.write(bytes, giveBack); // also when it fails
      watch.sent += bytes.length;
    }
    if (watch.sent < ring.end) return true;
    this.tellSizes(watch);
    if (terminal.exit !== undefined) {
      this.send({ event: 'terminal.exited', watch: id, terminal: terminal.describe() });
      this.unwatch(id);
    }
    return false;
  }

  /** Every change, between the bytes where it was made. */
  private tellSizes(watch: Watch): void {
    for (let { next } = watch.size; next !== undefined && next.offset <= watch.sent; { next } = next) {
      watch.size = next;
      this.tellSize(watch);
    }
  }

  private tellSize({ id, size: { columns, rows } }: Watch): void {
    this.send({ event: 'terminal.resized', watch: id, columns, rows });
  }
}
