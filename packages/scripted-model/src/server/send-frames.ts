import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Frame } from '../apis/api-format.js';

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

interface Sending {
  readonly response: ServerResponse;
  readonly paceMs: number;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
}

/** Frames are sent together up to this size, unless the model is slow. */
const BATCH_CHARACTERS = 32_768;

/** Sends an event stream up to its last frame, and leaves the connection open. Rejects when the client goes away. */
export async function sendFrames(frames: Iterable<Frame>, { response, paceMs, sleep, signal }: Sending): Promise<void> {
  let batch = '';
  const flush = async () => {
    if (batch === '') return;
    signal.throwIfAborted();
    const hasRoom = response.write(batch);
    batch = '';
    if (!hasRoom) await once(response, 'drain', { signal });
  };
  for (const frame of frames) {
    if (frame.isPiece && paceMs > 0) {
      await flush();
      await sleep(paceMs, signal);
    }
    batch += render(frame);
    if (batch.length > BATCH_CHARACTERS) await flush();
  }
  await flush();
}

function render({ event, data }: Frame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}
