import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectedHost, connectHost } from '../client/connect-host.js';
import { endLeftovers } from '../client/leftovers.js';
import { buryHostRecord, readHostRecord } from '../host/host-record.js';
import { isAlive } from '../processes/process-identity.js';
import type { HostedTerminal } from '../protocol/messages.js';
import type { SpawnRequest, TerminalHost } from '../terminal-host.js';

/** A host in a temporary folder, for one test. */
export interface TestHost extends ConnectedHost {
  readonly folder: string;
  /** As another process would, with another connection. */
  connectAgain(): Promise<TerminalHost>;
  /** Starts it with the environment of the test and 80 × 24; throws where it is refused. */
  spawn(request: Partial<SpawnRequest> & Pick<SpawnRequest, 'terminalId' | 'file'>): Promise<HostedTerminal>;
  /** Ends everything that was started here and removes the folder. */
  dispose(): Promise<void>;
}

export async function openTestHost(): Promise<TestHost> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-host-'));
  const connected = await connectHost({ folder, graceMs: 300 });
  const others: TerminalHost[] = [];
  return {
    ...connected,
    folder,
    async connectAgain() {
      const { host } = await connectHost({ folder });
      others.push(host);
      return host;
    },
    async spawn(request) {
      const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
      const outcome = await connected.host.spawn({
        args: [],
        cwd: folder,
        columns: 80,
        rows: 24,
        ...request,
        env: { ...(env as Record<string, string>), ...request.env },
      });
      if (outcome.kind === 'refused') throw new Error(outcome.message);
      return outcome.terminal;
    },
    async dispose() {
      for (const host of [connected.host, ...others]) host.close();
      await endHost(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Ends the host of a folder and all processes left by it or its predecessors. */
export async function endHost(folder: string): Promise<void> {
  const record = readHostRecord(folder);
  if (record !== undefined) {
    if (isAlive(record)) process.kill(record.pid, 'SIGKILL');
    while (isAlive(record)) await pause(5);
    buryHostRecord(folder, record);
  }
  await endLeftovers(folder, { graceMs: 0 });
}
