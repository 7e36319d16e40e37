import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { JsonValue } from '@devs/core';
import { numberIn, objectIn, textIn } from './json.js';
import type { ReadPosition } from './line-splitter.js';

/** Where reading stopped, with the proof that the file is still the same. */
export interface KeptPlace {
  readonly position: ReadPosition;
  readonly overlongLines: number;
  /** The parser's memory. */
  readonly memory: JsonValue;
}

export async function keepPlace(file: FileHandle, place: KeptPlace): Promise<JsonValue> {
  const { line, byteOffset, isInLine = false } = place.position;
  return {
    inode: (await file.stat()).ino,
    mark: await markOf(file, byteOffset),
    position: { line, byteOffset, isInLine },
    overlongLines: place.overlongLines,
    memory: place.memory,
  };
}

/** `undefined` if the file was replaced, cut or rewritten: everything read from it is invalid. */
export async function openKeptPlace(file: FileHandle, kept: unknown): Promise<KeptPlace | undefined> {
  const value = objectIn(kept);
  const position = objectIn(value?.position);
  const line = numberIn(position?.line);
  const byteOffset = numberIn(position?.byteOffset);
  if (value === undefined || line === undefined || byteOffset === undefined) return undefined;
  const { ino, size } = await file.stat();
  if (ino !== value.inode || size < byteOffset || (await markOf(file, byteOffset)) !== textIn(value.mark)) {
    return undefined;
  }
  return {
    position: { line, byteOffset, ...(position?.isInLine === true ? { isInLine: true } : {}) },
    overlongLines: numberIn(value.overlongLines) ?? 0,
    memory: value.memory ?? null,
  };
}

/** Its first bytes and the last ones before a place: every line has its own id and time. */
async function markOf(file: FileHandle, byteOffset: number): Promise<string> {
  const digest = createHash('sha1');
  const bytes = Math.min(MARK_BYTES, byteOffset);
  for (const at of [0, byteOffset - bytes]) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, at);
    digest.update(buffer.subarray(0, bytesRead));
  }
  return digest.digest('base64');
}

const MARK_BYTES = 1_024;
