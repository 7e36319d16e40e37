/** A binary message: the number of a subscription in two bytes, then what its terminal printed or is typed into it. */
export interface Frame {
  readonly channel: number;
  readonly bytes: Uint8Array;
}

const HEADER_BYTES = 2;
export const MAX_CHANNELS = 0xffff;

/** A client that hears nothing for three of these has lost its connection. */
export const BEAT_MS = 10_000;

export function encodeFrame(channel: number, bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEADER_BYTES + bytes.length);
  frame[0] = channel >> 8;
  frame[1] = channel & 0xff;
  frame.set(bytes, HEADER_BYTES);
  return frame;
}

/** `undefined` where it is too short. The bytes are a view of the message. */
export function decodeFrame(message: Uint8Array): Frame | undefined {
  const [high, low] = message;
  if (high === undefined || low === undefined) return undefined;
  return { channel: (high << 8) | low, bytes: message.subarray(HEADER_BYTES) };
}
