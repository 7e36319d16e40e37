import type { NewEvent, StoredEvent } from '../ports/event-log.js';
import { noRunFacts, type RunFacts } from '../run/run-facts.js';
import { believed, jsonOf } from '../stored-json.js';

/** Which runs were moved out of the store, and where to. Never archived itself. */
export const ARCHIVE_STREAM = 'archive:runs';

/** What stays of a run: enough to list it, and to begin where its work is. */
export type ArchivedRun = Pick<RunFacts, 'id' | 'phase' | 'lastEventAt' | 'merged' | 'task'> & {
  readonly plan: Pick<NonNullable<RunFacts['plan']>, 'request' | 'workflow' | 'agent' | 'place' | 'task'>;
};

/** The decision; the events are removed after it was stored. */
export interface Archiving {
  readonly file: string;
  readonly events: number;
  readonly runs: readonly ArchivedRun[];
  /** What is removed, at these versions. */
  readonly streams: readonly { readonly stream: string; readonly version: number }[];
}

const ARCHIVED = 'runs.archived';

export const runsArchived = (archiving: Archiving): NewEvent => ({ type: ARCHIVED, data: jsonOf(archiving) });

/** What an event says was archived; `undefined` where it is another event. Pure. */
export const archivingOf = ({ stream, type, data }: StoredEvent): Archiving | undefined =>
  stream === ARCHIVE_STREAM && type === ARCHIVED ? believed<Archiving>(data) : undefined;

/** What is known of the runs that an event archived. Nothing of them is at the remote any more. Pure. */
export const archivedRuns = (event: StoredEvent): readonly RunFacts[] => {
  const archiving = archivingOf(event);
  if (archiving === undefined) return [];
  const { file, runs } = archiving;
  return runs.map((run) => ({ ...noRunFacts(run.id), ...believed<RunFacts>(run), isDropped: true, archived: file }));
};
