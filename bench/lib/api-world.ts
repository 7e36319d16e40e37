import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, createServer, type ServedSupervisor } from '@devs/server';
import type { HostedTerminal, TerminalHost, WatchRequest } from '@devs/terminals';
import { issueChallenge } from '@devs/terminals/admission';

/** Terminals without processes: what they print is said here. */
interface PrintingHost {
  readonly host: TerminalHost;
  print(terminal: string, bytes: Buffer): void;
}

function createPrintingHost(): PrintingHost {
  const watching = new Map<string, WatchRequest[]>();
  const offsets = new Map<string, number>();
  const hosted = (terminalId: string): HostedTerminal => ({
    terminalId,
    handle: 1,
    pid: 1,
    started: '',
    file: '',
    cwd: '/',
    columns: 120,
    rows: 40,
    spawnedAt: 0,
    output: { start: 0, end: offsets.get(terminalId) ?? 0 },
  });
  const host = {
    instance: 'bench',
    pid: process.pid,
    list: async () => Array.from({ length: 200 }, (_, index) => hosted(`t${index}`)),
    recall: async () => undefined,
    sizes: async () => undefined,
    keep: async () => {},
    resize: async () => {},
    write: async () => 'written',
    async watch(request: WatchRequest) {
      watching.set(request.terminalId, [...(watching.get(request.terminalId) ?? []), request]);
      return { terminal: hosted(request.terminalId), stop() {} };
    },
    onLost: () => () => {},
    close() {},
  } as unknown as TerminalHost;
  return {
    host,
    print(terminal, bytes) {
      const offset = offsets.get(terminal) ?? 0;
      offsets.set(terminal, offset + bytes.length);
      for (const { onOutput } of watching.get(terminal) ?? []) onOutput(bytes, offset);
    },
  };
}

export interface ApiWorld extends PrintingHost {
  readonly server: ApiServer;
  readonly socketPath: string;
  readonly folder: string;
  close(): Promise<void>;
}

export const STATUS = {
  version: '1',
  pid: 1,
  startedAt: 0,
  keeps: 'while-busy',
  runs: [],
  terminals: [],
  problems: [],
} as const;

/** The real server over a supervisor that has nothing to do. */
export async function openApiWorld(): Promise<ApiWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-api-'));
  const socketPath = join(folder, 'api.sock');
  const printing = createPrintingHost();
  const supervisor = {
    handlers: { 'status.get': async () => STATUS },
    host: async () => printing.host,
    runOf: () => undefined,
    user() {},
    onNotice: () => () => {},
    onChange: () => () => {},
  } as unknown as ServedSupervisor;
  const server = createServer({
    supervisor,
    projects: { list: async () => [], open: async () => undefined },
    files: {} as never,
    version: '1',
    clock: { now: Date.now },
  });
  await server.listenSocket(socketPath, {
    issueChallenge: () => issueChallenge(folder),
    seatOf: () => ({ kind: 'outside' }),
  });
  return {
    ...printing,
    server,
    socketPath,
    folder,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
