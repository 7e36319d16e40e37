import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunHandle } from '@devs/supervisor';
import { expect, it, onTestFinished } from 'vitest';
import { openTerminalRegistry } from '../../terminal/names/terminal-registry.js';
import { terminalPlaces } from '../../terminal/places.js';
import { showPresence } from '../run-presence.js';
import { someStatus } from './fake-runs.js';

it('the terminal of a run is listed with the folder that it works in, not with what was stored of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devs-presence-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const places = terminalPlaces(join(folder, 'projects.db'));
  const registry = openTerminalRegistry(places.registryFolder);
  const presence = showPresence({
    places,
    registry,
    agent: 'builtin',
    location: { kind: 'project' },
    root: '/home/anna/shop',
    storeFile: '/home/anna/shop/.devs/state.db',
    clock: { now: () => 0 },
  });
  const see = (type: string, data: Record<string, string>) =>
    presence.see({ position: 1, stream: 'run:run-1', version: 1, at: 0, type, data });
  see('run.prepared', { folder: '/tmp/[redacted:high-entropy]' });
  see('worktree.made', { path: '/tmp/[redacted:high-entropy]/run-1' });
  see('run.begun', { by: 'anna', terminal: 'run-1' });
  expect(registry.get('run-1')?.folder).toBe('/home/anna/shop');
  const status = () => someStatus({ id: 'run-1', worktree: '/state/run-1' });
  presence.follow({ id: 'run-1', status } as unknown as RunHandle);
  expect(registry.get('run-1')?.folder).toBe('/state/run-1');
  presence.end('run-1', { isLost: false });
  expect(registry.list()).toEqual([]);
});
