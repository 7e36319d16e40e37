import { StreamCursor } from '../event-log/stream-cursor.js';
import type { EventLog, NewEvent, StoredEvent } from '../ports/event-log.js';

const RUN_OPENED = 'run.opened';

/** Makes a run the current one of a worktree, in the worktree's stream. */
export const runOpened = (run: string, worktree: string): NewEvent => ({ type: RUN_OPENED, data: { run, worktree } });

/** The run that becomes the current one by this event, if any. */
export const openedBy = ({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string | undefined =>
  type === RUN_OPENED ? String(data.run) : undefined;

/** The current run of a worktree, by the worktree's stream. */
export const followOpenedRun = (
  log: Pick<EventLog, 'read' | 'append'>,
  worktreeStream: string,
): StreamCursor<string | undefined> =>
  new StreamCursor<string | undefined>(log, worktreeStream, undefined, (run, event) => openedBy(event) ?? run);
