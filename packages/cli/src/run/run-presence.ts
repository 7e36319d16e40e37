import type { Clock, StoredEvent } from '@devs/core';
import type { RunHandle } from '@devs/supervisor';
import type { StoreLocation } from '../store-access/store-location.js';
import type { ControlRequest } from '../terminal/control/control-message.js';
import { serveControl } from '../terminal/control/serve-control.js';
import type { TerminalRegistry } from '../terminal/names/terminal-registry.js';
import type { TerminalPlaces } from '../terminal/places.js';
import { createOtherWindows, type OtherWindows } from '../terminal/session/other-windows.js';

/** How other processes of this user find the runs of this one: their terminals in the list, and somebody who answers. */
export interface RunPresence {
  follow(run: RunHandle): void;
  /** To be told what is stored. */
  see(event: StoredEvent): void;
  /** `isLost`: its agent may go on, and can still be attached. */
  end(runId: string, how: { readonly isLost: boolean }): void;
}

interface PresenceDeps {
  readonly places: TerminalPlaces;
  readonly registry: TerminalRegistry;
  readonly agent: string;
  readonly location: StoreLocation;
  /** The project's folder. */
  readonly root: string;
  readonly storeFile: string;
  readonly clock: Clock;
}

export function showPresence({ places, registry, agent, location, root, storeFile, clock }: PresenceDeps): RunPresence {
  const runs = new Map<string, RunHandle>();
  const shown = new Map<
    string,
    { readonly terminal: string; readonly control: Promise<{ close(): void } | undefined> }
  >();
  /** In which the user sits in front of the terminal of a run. */
  const windows = new Map<string, OtherWindows>();
  const store =
    location.kind === 'redis'
      ? ({ kind: 'redis' } as const)
      : ({ kind: 'sqlite', file: location.kind === 'sqlite' ? location.file : storeFile } as const);

  const windowsOf = (runId: string): OtherWindows | undefined => {
    const run = runs.get(runId);
    if (run !== undefined && !windows.has(runId)) windows.set(runId, createOtherWindows(run, false));
    return windows.get(runId);
  };
  const enlist = (runId: string, name: string) => {
    const folder = runs.get(runId)?.status().worktree ?? root; // not by the events: they may be redacted
    registry.put({ name, agent, folder, store, openedAt: clock.now() });
  };
  const show = (runId: string, terminal: string) => {
    if (shown.has(runId)) return;
    enlist(runId, terminal);
    const place = { name: terminal, socketPath: places.controlSocket(terminal), hostFolder: places.hostFolder };
    const control = serveControl(place, (request) => answer(runs.get(runId), request, windowsOf(runId))).catch(
      () => undefined, // others cannot ask then
    );
    shown.set(runId, { terminal, control });
  };
  return {
    follow(run) {
      runs.set(run.id, run);
      const own = shown.get(run.id);
      if (own !== undefined) enlist(run.id, own.terminal); // where it works is known now
    },
    see({ stream, type, data }) {
      const runId = stream.startsWith('run:') ? stream.slice('run:'.length) : undefined;
      if (runId === undefined) return;
      if (type === 'run.begun') show(runId, String(data.terminal));
    },
    end(runId, { isLost }) {
      const own = shown.get(runId);
      runs.delete(runId);
      windows.get(runId)?.close();
      windows.delete(runId);
      shown.delete(runId);
      if (own === undefined) return;
      if (!isLost) registry.remove(own.terminal);
      void own.control.then((control) => control?.close());
    },
  };
}

async function answer(
  run: RunHandle | undefined,
  request: ControlRequest,
  windows: OtherWindows | undefined,
): Promise<unknown> {
  if (run === undefined) throw new Error('the run has only just begun. Try again in a moment');
  switch (request.do) {
    case 'status':
      return run.status().terminals[0];
    case 'stop':
      await run.stop({ now: false });
      return 'stopped';
    case 'hand-over':
      return 'kept';
    case 'user':
      return windows?.heard(request);
    case 'send':
    case 'renew':
    case 'undo':
      throw new Error(`it works for the run ${run.id}, which does that by itself. \`devs stop ${run.id}\` ends it`);
  }
}
