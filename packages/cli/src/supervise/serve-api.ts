import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { openStore } from '@devs/core';
import { createServer } from '@devs/server';
import { openHostIn, type SupervisorPort } from '@devs/supervisor';
import { issueChallenge, seatIn } from '@devs/terminals/admission';
import type { Records } from '../store-access/records.js';
import { createServedSupervisor } from './served-supervisor.js';

export interface ApiPlace {
  readonly port: SupervisorPort;
  readonly version: string;
  readonly socketPath: string;
  readonly hostFolder: string;
  readonly recordsIn: (folder: string) => Records;
  readonly isGone: (by: string) => boolean;
  readonly complain: (text: string) => void;
}

export interface ServedApi {
  /** What is supervised may be different now. */
  changed(): void;
  close(): Promise<void>;
}

/** The API of `@devs/server` over the supervisor of this process. */
export async function serveApi(place: ApiPlace): Promise<ServedApi> {
  const { port, version, socketPath, hostFolder, recordsIn, isGone, complain } = place;
  const clock = { now: Date.now };
  const supervisor = createServedSupervisor(port, () => openHostIn({ folder: hostFolder }));
  const server = createServer({
    supervisor,
    version,
    clock,
    files: {},
    projects: {
      list: async () =>
        (await recordsIn(dirname(socketPath)).projects()).map(({ root }) => ({ root, location: { kind: 'project' } })),
      async open({ root, location }) {
        const backend = await recordsIn(root).open(location, 'existing');
        return backend && { backend, store: openStore({ backend, clock, newId: randomUUID, isGone }) };
      },
    },
    onAction: ({ by, operation, about = '' }) => complain(`${by.name} (${by.scope}): ${operation} ${about}`.trimEnd()),
    onBug: (error, where) => complain(`${where}: ${error instanceof Error ? error.stack : String(error)}`),
  });
  await server.listenSocket(socketPath, {
    issueChallenge: () => issueChallenge(dirname(socketPath)),
    seatOf: (pid) => seatIn(hostFolder, pid),
  });
  return { changed: supervisor.changed, close: server.close };
}
