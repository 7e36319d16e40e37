import { encodeFrame } from '@devs/api';
import type { OutputChunk } from '../terminals/coalesce-output.js';
import type { FeedListener, TerminalFeed } from '../terminals/terminal-feeds.js';
import type { Channel, Viewer } from './channel.js';

/**
 * How far output may run ahead of what a viewer has drawn; beyond that, the viewer gets a snapshot once it has caught
 * up.
 */
const MOST_AHEAD_BYTES = 1 << 20;
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
export function openTerminalChannel(channel: number, { feed, viewer, onTyped, onEnd }: TerminalChannelDeps): Channel {
  let phase: Phase = 'showing';
  let isClosed = false;
  /** Up to where it was sent, and drawn. */
  let sent = 0;
  let drawn = 0;
  let held: OutputChunk[] = [];

  const pass = (chunk: OutputChunk) => {
    const end = chunk.offset + chunk.bytes.length;
    if (end <= sent) return; // in the snapshot already
    if (sent - drawn > MOST_AHEAD_BYTES || viewer.backlogBytes > MOST_AHEAD_BYTES) {
      phase = 'behind';
      return;
    }
    const isWhole = chunk.offset >= sent;
    viewer.sendBinary(isWhole ? chunk.frame(channel) : encodeFrame(channel, chunk.bytes.subarray(sent - chunk.offset)));
    sent = end;
  };
  const show = async (skipped: boolean) => {
    phase = 'showing';
    held = [];
    const { data, offset, columns, rows } = await feed.snapshot();
    if (isClosed) return;
    viewer.say({ type: 'snapshot', channel, columns, rows, offset, skipped });
    viewer.sendBinary(encodeFrame(channel, Buffer.from(data)));
    sent = offset;
    drawn = offset; // earlier output is no longer awaited
    phase = 'live';
    for (const chunk of held.splice(0)) if (isLive()) pass(chunk);
  };
  const isLive = () => phase === 'live';
  const showSafely = (skipped: boolean) => void show(skipped).catch((error: unknown) => end(error));
  const listener: FeedListener = {
    onOutput(chunk) {
      if (phase === 'live') pass(chunk);
      else if (phase === 'showing') held.push(chunk);
    },
    onGap: () => showSafely(true),
    onResized: ({ columns, rows }) => viewer.say({ type: 'resized', channel, columns, rows }),
    onEnd(exit) {
      viewer.say({ type: 'exited', channel, ...(exit === undefined ? {} : { exitCode: exit.exitCode }) });
      end();
    },
  };
  const stop = feed.listen(listener);
  const end = (error?: unknown) => {
    if (isClosed) return;
    close();
    onEnd(error);
  };
  const close = () => {
    isClosed = true;
    stop();
    feed.release();
  };
  showSafely(false);
  return {
    ack(offset) {
      drawn = Math.max(drawn, Math.min(offset, sent));
      if (phase === 'behind' && sent - drawn < RESUME_AHEAD_BYTES) showSafely(true);
    },
    ...(onTyped === undefined ? {} : { type: onTyped }),
    resize: (size) => void feed.resize(size).catch(() => {}), // a terminal that is gone has no size
    close,
  };
}
