import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { createServer, type ServedSupervisor } from '@devs/server';
import { issueChallenge, type Seat } from '@devs/terminals/admission';
import { onTestFinished } from 'vitest';

/** The API with these handlers at a socket; `status.get` says which version it is. */
export async function serveFake(
  socketPath: string,
  version: string,
  { handlers = {}, seat = { kind: 'outside' } }: { handlers?: ServedSupervisor['handlers']; seat?: Seat } = {},
): Promise<{ close(): Promise<void> }> {
  const folder = dirname(socketPath);
  chmodSync(folder, 0o700);
  const status = {
    version,
    pid: process.pid,
    startedAt: 0,
    keeps: 'while-busy',
    runs: [],
    terminals: [],
    problems: [],
  };
  const server = createServer({
    supervisor: {
      handlers: { 'status.get': async () => status as never, ...handlers },
      host: () => Promise.reject(new Error('this test has no host')),
      runOf: () => undefined,
      user() {},
      onNotice: () => () => {},
      onChange: () => () => {},
    },
    version,
    clock: { now: Date.now },
    projects: { list: async () => [], open: async () => undefined },
    files: {},
  });
  await server.listenSocket(socketPath, { issueChallenge: () => issueChallenge(folder), seatOf: () => seat });
  onTestFinished(() => server.close());
  return server;
}
