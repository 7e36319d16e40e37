import type { Clock } from '@devs/core';
import type { RunHandle } from '@devs/supervisor';
import type { StoreLocation } from '../store-access/store-location.js';
import type { TerminalRegistry } from '../terminal/names/terminal-registry.js';

interface RunsPlace {
  readonly registry: TerminalRegistry;
  readonly agent: string;
  readonly location: StoreLocation;
  /** The project's folder. */
  readonly root: string;
  /** The project's own store. */
  readonly file: string;
  readonly clock: Clock;
}

/** Lists the terminal of a run until the run is over; the agent of a lost run may continue and can still be attached. */
export function enlistRun(
  { id, status, done }: Pick<RunHandle, 'id' | 'status' | 'done'>,
  { registry, agent, location, root, file, clock }: RunsPlace,
): void {
  const store =
    location.kind === 'redis'
      ? ({ kind: 'redis' } as const)
      : ({ kind: 'sqlite', file: location.kind === 'sqlite' ? location.file : file } as const);
  const folder = status().worktree ?? root; // not by the events: they may be redacted
  registry.put({ name: id, agent, folder, store, openedAt: clock.now() });
  void done.then((end) => end.status === 'lost' || registry.remove(id));
}
