import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../frames.js';

describe('a frame', () => {
  it.each([0, 1, 255, 256, 65_535])('carries its channel: %d', (channel) => {
    expect(decodeFrame(encodeFrame(channel, Buffer.from('hello')))).toEqual({
      channel,
      bytes: new Uint8Array(Buffer.from('hello')),
    });
  });

  it.each([[[]], [[1]]])('is none where it is too short: %j', (bytes) => {
    expect(decodeFrame(Uint8Array.from(bytes))).toBeUndefined();
  });
});
