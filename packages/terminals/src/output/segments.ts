import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One file of a terminal's output. Its name is the offset of its first byte, so a gap shows. */
export interface Segment {
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
  readonly changedAt: number;
}

const NAME = /^(\d{16})\.out$/;

export const segmentName = (offset: number): string => `${String(offset).padStart(16, '0')}.out`;

/** The oldest first; none where there is no such folder. */
export function listSegments(folder: string): Segment[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, offset] = NAME.exec(name) ?? [];
      const path = join(folder, name);
      const stats = offset === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, offset: Number(offset), bytes: stats.size, changedAt: stats.mtimeMs }];
    })
    .sort((a, b) => a.offset - b.offset);
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
