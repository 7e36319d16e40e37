import { rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { listSegments, namesIn } from './segments.js';

/** Raw output is kept for a week unless asked otherwise. */
export const OUTPUT_RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;

export interface PurgeRequest {
  /** The folder of a host. */
  readonly folder: string;
  readonly now: number;
  readonly olderThanMs: number;
}

/** Removes output older than `olderThanMs`, and folders that become empty. Returns the freed bytes. */
export function purgeOutput({ folder, now, olderThanMs }: PurgeRequest): number {
  let removed = 0;
  for (const terminal of foldersIn(outputRoot(folder))) {
    for (const start of foldersIn(terminal)) {
      for (const segment of listSegments(start)) {
        if (now - segment.changedAt < olderThanMs) continue;
        unlinkSync(segment.path);
        removed += segment.bytes;
      }
      removeEmpty(start);
    }
    removeEmpty(terminal);
  }
  return removed;
}

export const outputRoot = (folder: string): string => join(folder, 'output');

/** Everything that one terminal ever printed. */
export const purgeTerminalOutput = (folder: string, terminalId: string): void =>
  rmSync(join(outputRoot(folder), terminalId), { recursive: true, force: true });

const foldersIn = (folder: string) => namesIn(folder).map((name) => join(folder, name));

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // something is in it, or it is no folder
  }
}
