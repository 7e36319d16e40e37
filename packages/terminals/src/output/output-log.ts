import { mkdirSync, unlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Loan, OutputRing } from '../host/output-ring.js';
import { listSegments, segmentName } from './segments.js';

/** Where the output is in memory. */
type LoggedOutput = Pick<OutputRing, 'start' | 'end' | 'lend'>;

export interface OutputLogOptions {
  readonly folder: string;
  readonly output: LoggedOutput;
  readonly segmentBytes?: number;
  /** The oldest segment goes when all together hold more. */
  readonly totalBytes?: number;
  /** How much may wait for the disk; what comes on top is left out. */
  readonly pendingBytes?: number;
}

/** A terminal's output on disk. */
export interface OutputLog {
  /**
   * Signals more output. Never waits and never throws: an agent must not notice a slow or full disk. Output that the
   * disk does not take in time is dropped, and the next segment starts behind the gap.
   */
  wake(): void;
  /** Resolves when everything is written that could be. */
  close(): Promise<void>;
}

const SEGMENT_BYTES = 4 << 20;
const TOTAL_BYTES = 32 << 20;
const FLUSH_MS = 50;
/** How often pieces are taken from the memory: before it can lose them, and rarely enough to cost nothing. */
const PIECE_BYTES = 64 << 10;
/** So much does not wait for its time. */
const FLUSH_BYTES = 256 << 10;
/** How much may wait for the disk. */
const PENDING_BYTES = 8 << 20;

export function openOutputLog(options: OutputLogOptions): OutputLog {
  const { output, pendingBytes = PENDING_BYTES } = options;
  const writer = createSegmentWriter(options);
  let pending: Piece[] = [];
  let waiting = 0;
  let taken = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let broken = false;

  const take = () => {
    taken = Math.max(taken, output.start);
    while (taken < output.end) {
      const loan = output.lend(taken, PIECE_BYTES);
      if (waiting + loan.bytes.length <= pendingBytes) {
        pending.push({ ...loan, offset: taken });
        waiting += loan.bytes.length;
      } else loan.giveBack();
      taken += loan.bytes.length;
    }
  };
  const write = async () => {
    while (pending.length > 0 && !broken) {
      const pieces = pending;
      pending = [];
      for (const { bytes, offset, giveBack } of pieces) {
        await writer.write(bytes, offset).catch(() => {
          broken = true; // a full or read-only disk: the agent continues, the log ends here
        });
        giveBack();
        waiting -= bytes.length;
        if (broken) return;
      }
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    take();
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };

  return {
    wake() {
      if (broken) return;
      if (output.end - taken >= PIECE_BYTES) take();
      if (waiting >= FLUSH_BYTES && writing === undefined) void flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
    async close() {
      await flush();
      await flush(); // what came while the first one was at its end
      await writer.close().catch(() => {});
    },
  };
}

interface Piece extends Loan {
  readonly offset: number;
}

function createSegmentWriter({ folder, segmentBytes = SEGMENT_BYTES, totalBytes = TOTAL_BYTES }: OutputLogOptions) {
  let file: FileHandle | undefined;
  let end = 0;
  let written = 0;

  const rotate = async (offset: number) => {
    await file?.close();
    file = undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    dropOldest(folder, totalBytes - segmentBytes);
    file = await open(join(folder, segmentName(offset)), 'a', 0o600);
    [end, written] = [offset, 0];
    return file;
  };

  return {
    async write(bytes: Buffer, offset: number): Promise<void> {
      for (let at = 0; at < bytes.length; ) {
        const isFull = written >= segmentBytes || offset + at !== end;
        const target = file === undefined || isFull ? await rotate(offset + at) : file;
        const length = Math.min(bytes.length - at, segmentBytes - written);
        const { bytesWritten } = await target.write(bytes, at, length);
        at += bytesWritten;
        end += bytesWritten;
        written += bytesWritten;
      }
    },
    async close(): Promise<void> {
      await file?.close();
      file = undefined;
    },
  };
}

function dropOldest(folder: string, keepBytes: number): void {
  const segments = listSegments(folder);
  let total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of segments) {
    if (total <= keepBytes) return;
    unlinkSync(path);
    total -= bytes;
  }
}
