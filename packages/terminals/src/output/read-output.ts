import { closeSync, openSync, readSync } from 'node:fs';
import { listSegments } from './segments.js';

export interface OutputPart {
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * The terminal's output still on disk, from this offset up to `to`. Parts that do not touch have a gap between them.
 */
export function readOutput(folder: string, { from, to }: { readonly from: number; readonly to: number }): OutputPart[] {
  return listSegments(folder).flatMap(({ path, offset, bytes }) => {
    const begin = Math.max(from, offset);
    const length = Math.min(to, offset + bytes) - begin;
    return length <= 0 ? [] : [{ offset: begin, bytes: readPart(path, begin - offset, length) }];
  });
}

function readPart(path: string, position: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, position));
  } finally {
    closeSync(file);
  }
}
