import type { StoredEvent } from '@devs/core';

/** The first line of an export. */
export const EXPORT_HEADER = { devs_log: 1 } as const;

/** Not in the log, because heartbeats are not events: how long a task is held. */
interface ExportedLease {
  readonly task: string;
  readonly fence: number;
  readonly until: number;
}

/** The last line: without it the export was cut off. */
export interface ExportFooter {
  readonly events: number;
  readonly leases: readonly ExportedLease[];
}

/** An event as a line, its fields always in the same order. */
export const eventLine = ({ position, stream, version, at, type, data }: StoredEvent) => ({
  position,
  stream,
  version,
  at,
  type,
  data,
});
