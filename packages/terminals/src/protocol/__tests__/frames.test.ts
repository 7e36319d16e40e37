import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameDecoder, encodeControl, encodeInput, encodeOutputHead, type Frame, FrameError } from '../frames.js';

const bytes = fc.uint8Array({ maxLength: 300 });
const anyFrame = fc.oneof(
  fc.record({ kind: fc.constant('control' as const), value: fc.dictionary(fc.string(), fc.string()) }),
  fc.record({ kind: fc.constant('output' as const), watch: fc.nat(), offset: fc.nat(2 ** 40), bytes }),
  fc.record({ kind: fc.constant('input' as const), request: fc.nat(), handle: fc.nat(), bytes }),
);

describe('frames', () => {
  it('come out as they went in, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 50 })), (frames, cuts) => {
        const sent = frames.map((frame) => {
          if (frame.kind === 'control') return encodeControl(frame.value);
          if (frame.kind === 'input') return encodeInput(frame.request, frame.handle, frame.bytes);
          return Buffer.concat([encodeOutputHead(frame.watch, frame.offset, frame.bytes.length), frame.bytes]);
        });
        const got: Frame[] = [];
        const decode = createFrameDecoder((frame) => got.push(frame));
        const stream = Buffer.concat(sent);
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = cuts.length === 0 ? stream.length : (cuts[turn % cuts.length] as number);
          decode(Buffer.from(stream.subarray(at, at + size)));
          at += size;
        }
        expect(joinOutput(got)).toEqual(
          frames.flatMap((frame): unknown[] => {
            if (frame.kind === 'control') return [{ kind: 'control', json: JSON.stringify(frame.value) }];
            if (frame.kind === 'output' && frame.bytes.length === 0) return [];
            return [{ ...frame, bytes: Buffer.from(frame.bytes) }];
          }),
        );
      }),
    );
  });

  it('of an impossible length or kind are refused instead of waited for', () => {
    const decode = createFrameDecoder(() => {});
    expect(() => decode(Buffer.from('GET / HTTP/1.1\r\n'))).toThrow(FrameError);
    expect(() => createFrameDecoder(() => {})(Buffer.from([0, 0, 0, 2, 9, 0]))).toThrow(FrameError);
    expect(() => createFrameDecoder(() => {})(Buffer.from([0, 0, 0, 0, 1]))).toThrow(FrameError);
  });
});

/** Output that arrived in pieces, put together again; a frame follows its own pieces without a gap. */
function joinOutput(frames: readonly Frame[]): Frame[] {
  const joined: Frame[] = [];
  for (const frame of frames) {
    const last = joined.at(-1);
    const follows = frame.kind === 'output' && last?.kind === 'output' && last.watch === frame.watch;
    if (follows && last.offset + last.bytes.length === frame.offset) {
      joined[joined.length - 1] = { ...last, bytes: Buffer.concat([last.bytes, frame.bytes]) };
    } else joined.push(frame);
  }
  return joined;
}
