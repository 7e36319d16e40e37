import { encodeFrame } from '@devs/api';
import type { OutputChunk } from '../terminals/coalesce-output.js';
import type { FeedListener, TerminalFeed } from '../terminals/terminal-feeds.js';
import type { Channel, Viewer } from './channel.js';

/**
 * How far output may run ahead of what a viewer has drawn; beyond that, the viewer gets a snapshot once it has caught
 * up.
 */
const MAX_AHEAD_BYTES = 1 << 20;
const RESUME_AHEAD_BYTES = 128 << 10;

export interface TerminalChannelDeps {
  readonly feed: TerminalFeed;
  readonly viewer: Viewer;
  /** Typed input; missing for a viewer without a keyboard. */
  onTyped?: (bytes: Uint8Array) => void;
  onEnd(error?: unknown): void;
}

/** `showing`: a snapshot is on its way · `live`: output is passed on · `behind`: nothing is, until the viewer has caught up */
type Phase = 'showing' | 'live' | 'behind';

/**
 * One viewer of one terminal. A slow one is skipped to a fresh snapshot: the terminal and its other viewers never wait for it.
 */
export function openTerminalChannel(channel: number, deps: TerminalChannelDeps): Channel {
  const shown = new ShownTerminal(channel, deps);
  const { feed, onTyped } = deps;
  shown.begin();
  return {
    ack: (offset) => shown.ack(offset),
    ...(onTyped === undefined ? {} : { type: onTyped }),
    resize: (size) => void feed.resize(size).catch(() => {}), // a terminal that is gone has no size
    close: () => shown.close(),
  };
}

class ShownTerminal implements FeedListener {
  private phase: Phase = 'showing';
  private isClosed = false;
  /** Up to where it was sent, and drawn. */
  private sent = 0;
  private drawn = 0;
  private held: OutputChunk[] = [];
  private stop = () => {};

  constructor(
    private readonly channel: number,
    private readonly deps: TerminalChannelDeps,
  ) {}

  begin(): void {
    this.stop = this.deps.feed.listen(this);
    this.show(false);
  }

  ack(offset: number): void {
    this.drawn = Math.max(this.drawn, Math.min(offset, this.sent));
    if (this.phase === 'behind' && this.sent - this.drawn < RESUME_AHEAD_BYTES) this.show(true);
  }

  close(): void {
    this.isClosed = true;
    this.stop();
    this.deps.feed.release();
  }

  onOutput(chunk: OutputChunk): void {
    if (this.phase === 'live') this.pass(chunk);
    else if (this.phase === 'showing') this.held.push(chunk);
  }

  onGap(): void {
    this.show(true);
  }

  onResized({ columns, rows }: { readonly columns: number; readonly rows: number }): void {
    this.deps.viewer.say({ type: 'resized', channel: this.channel, columns, rows });
  }

  onEnd(exit: Parameters<FeedListener['onEnd']>[0]): void {
    const exitCode = exit === undefined ? {} : { exitCode: exit.exitCode };
    this.deps.viewer.say({ type: 'exited', channel: this.channel, ...exitCode });
    this.end();
  }

  private end(error?: unknown): void {
    if (this.isClosed) return;
    this.close();
    this.deps.onEnd(error);
  }

  private show(skipped: boolean): void {
    this.phase = 'showing';
    this.held = [];
    this.sendSnapshot(skipped).catch((error: unknown) => this.end(error));
  }

  private async sendSnapshot(skipped: boolean): Promise<void> {
    const { feed, viewer } = this.deps;
    const { channel } = this;
    const { data, offset, columns, rows } = await feed.snapshot();
    if (this.isClosed) return;
    viewer.say({ type: 'snapshot', channel, columns, rows, offset, skipped });
    viewer.sendBinary(encodeFrame(channel, Buffer.from(data)));
    this.sent = offset;
    this.drawn = offset; // earlier output is no longer awaited
    this.phase = 'live';
    for (const chunk of this.held.splice(0)) this.onOutput(chunk);
  }

  private pass(chunk: OutputChunk): void {
    const { viewer } = this.deps;
    const { channel, sent } = this;
    const end = chunk.offset + chunk.bytes.length;
    if (end <= sent) return; // in the snapshot already
    if (sent - this.drawn > MAX_AHEAD_BYTES || viewer.backlogBytes > MAX_AHEAD_BYTES) {
      this.phase = 'behind';
      return;
    }
    const isWhole = chunk.offset >= sent;
    viewer.sendBinary(isWhole ? chunk.frame(channel) : encodeFrame(channel, chunk.bytes.subarray(sent - chunk.offset)));
    this.sent = end;
  }
}
