/**
 * What goes over the socket: frames of a length (of all that follows), a kind, and a body. Control is JSON, which only
 * `messages.ts` reads; output and input are bytes with a short head, because they are most of the traffic.
 *
 * ```
 * u32 length │ u8 1 control │ JSON
 * u32 length │ u8 2 output  │ u32 watch, f64 offset of the first byte  │ bytes
 * u32 length │ u8 3 input   │ u32 request, u32 handle                  │ bytes
 * ```
 */
export type Frame =
  | { readonly kind: 'control'; readonly json: string }
  | { readonly kind: 'output'; readonly watch: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'input'; readonly request: number; readonly handle: number; readonly bytes: Buffer };

const CONTROL = 1;
const OUTPUT = 2;
const INPUT = 3;
const LENGTH_BYTES = 4;
const OUTPUT_HEAD_BYTES = LENGTH_BYTES + 1 + 4 + 8;
const INPUT_HEAD_BYTES = LENGTH_BYTES + 1 + 4 + 4;
/** Behind length and kind. */
const OUTPUT_HEAD_REST = OUTPUT_HEAD_BYTES - LENGTH_BYTES - 1;
const INPUT_HEAD_REST = INPUT_HEAD_BYTES - LENGTH_BYTES - 1;

/** More than any frame of ours: a peer that announces more speaks another language. */
const FRAME_LIMIT_BYTES = 16 << 20;

export function encodeControl(message: object): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + 1 + json.length);
  frame.writeUInt32BE(1 + json.length, 0);
  frame.writeUInt8(CONTROL, LENGTH_BYTES);
  json.copy(frame, LENGTH_BYTES + 1);
  return frame;
}

/** Only the head: the bytes follow as they are, without a copy. */
export function encodeOutputHead(watch: number, offset: number, byteCount: number): Buffer {
  const head = Buffer.allocUnsafe(OUTPUT_HEAD_BYTES);
  head.writeUInt32BE(OUTPUT_HEAD_BYTES - LENGTH_BYTES + byteCount, 0);
  head.writeUInt8(OUTPUT, LENGTH_BYTES);
  head.writeUInt32BE(watch, LENGTH_BYTES + 1);
  head.writeDoubleBE(offset, LENGTH_BYTES + 5);
  return head;
}

export function encodeInput(request: number, handle: number, bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(INPUT_HEAD_BYTES + bytes.length);
  frame.writeUInt32BE(INPUT_HEAD_BYTES - LENGTH_BYTES + bytes.length, 0);
  frame.writeUInt8(INPUT, LENGTH_BYTES);
  frame.writeUInt32BE(request, LENGTH_BYTES + 1);
  frame.writeUInt32BE(handle, LENGTH_BYTES + 5);
  frame.set(bytes, INPUT_HEAD_BYTES);
  return frame;
}

/** An invalid frame. The connection is unusable. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/**
 * Takes bytes as they arrive and emits frames. Output passes through without a copy: a frame that arrives in pieces is
 * emitted as several. Throws `FrameError` on an invalid frame.
 */
export function createFrameDecoder(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  let step: Step = START;

  /** The first `count` bytes held, as one buffer; copied only where chunks have split it. */
  const take = (count: number): Buffer => {
    const [first = Buffer.alloc(0), ...others] = parts;
    const whole = first.length >= count ? first : Buffer.concat(parts, held);
    const rest = whole.subarray(count);
    parts = first.length >= count ? [rest, ...others] : [rest];
    held -= count;
    return whole.subarray(0, count);
  };
  const advance = (now: Step): Step => {
    if (now.at === 'start') return checkStart(take(now.wanted));
    if (now.at === 'output') {
      const bytes = take(Math.min(held, now.left));
      onFrame({ kind: 'output', watch: now.watch, offset: now.offset, bytes });
      const left = now.left - bytes.length;
      return left === 0 ? START : { ...now, left, offset: now.offset + bytes.length };
    }
    const body = take(now.wanted);
    if (now.at === 'output-head') {
      const head = { watch: body.readUInt32BE(0), offset: body.readDoubleBE(4) };
      return now.left === 0 ? START : { at: 'output', wanted: 1, left: now.left, ...head };
    }
    onFrame(now.at === 'control' ? { kind: 'control', json: body.toString('utf8') } : decodeInput(body));
    return START;
  };

  return (chunk) => {
    parts.push(chunk);
    held += chunk.length;
    while (held >= step.wanted) step = advance(step);
    if (held === 0) parts = [];
  };
}

/** The next part to read, and the bytes it needs at least. */
type Step =
  | { readonly at: 'start' | 'control' | 'input'; readonly wanted: number }
  | { readonly at: 'output-head'; readonly wanted: number; readonly left: number }
  | {
      readonly at: 'output';
      readonly wanted: number;
      readonly left: number;
      readonly watch: number;
      readonly offset: number;
    };

const START: Step = { at: 'start', wanted: LENGTH_BYTES + 1 };

function checkStart(start: Buffer): Step {
  const length = start.readUInt32BE(0) - 1;
  const kind = start.readUInt8(LENGTH_BYTES);
  if (length < 0 || length > FRAME_LIMIT_BYTES) throw new FrameError(`a frame of ${length} bytes`);
  if (kind === CONTROL) return { at: 'control', wanted: length };
  if (kind === OUTPUT && length >= OUTPUT_HEAD_REST) {
    return { at: 'output-head', wanted: OUTPUT_HEAD_REST, left: length - OUTPUT_HEAD_REST };
  }
  if (kind === INPUT && length >= INPUT_HEAD_REST) return { at: 'input', wanted: length };
  throw new FrameError(`a frame of kind ${kind} with ${length} bytes`);
}

const decodeInput = (body: Buffer): Frame => ({
  kind: 'input',
  request: body.readUInt32BE(0),
  handle: body.readUInt32BE(4),
  bytes: body.subarray(INPUT_HEAD_REST),
});
