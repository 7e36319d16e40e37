import { randomUUID } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { lowerCeiling } from '../admission/ceiling.js';
import { OUTPUT_RETENTION_MS, purgeOutput } from '../output/purge-output.js';
import { identifyProcess } from '../processes/process-identity.js';
import { HOST_VARIABLE } from '../processes/process-mark.js';
import { createProcessTable } from '../processes/process-table.js';
import type { Frame } from '../protocol/frames.js';
import { PROTOCOL_VERSION, REQUESTS, RequestMessage } from '../protocol/messages.js';
import { HANDLERS, type HostClient, type HostRoom, Refused } from './answer-request.js';
import { type ClientConnection, serveClient } from './client-connection.js';
import { openGate } from './gate.js';
import { createGuard } from './guard.js';
import { type HostRecord, readHostRecord, recordFile, removeFile, writeHostRecord } from './host-record.js';
import { type HostedTerminal, startTerminal } from './hosted-terminal.js';

export interface HostOptions {
  readonly folder: string;
  readonly socketPath: string;
  /** How long a host stays that holds nothing and has no client. */
  readonly graceMs: number;
  /** How long to wait for clients to ask about exited terminals. */
  readonly exitedGraceMs: number;
}

const HOUSEKEEPING_MS = 30_000;
const STOP_GRACE_MS = 2_000;
const READ_BYTES = 64 << 10;

/** Holds terminals until there are none and no client is connected. Resolves at the end. */
export async function runHost({ folder, socketPath, graceMs, exitedGraceMs }: HostOptions): Promise<void> {
  const instance = randomUUID();
  const identity = identifyProcess(process.pid) ?? { pid: process.pid, started: 'unknown' };
  const origin = (process.env[HOST_VARIABLE] ?? '').split(' ').filter((mark) => mark !== '');
  const ceiling = lowerCeiling(); // before the first terminal, which is below it from its start
  const terminals = new Map<string, HostedTerminal>();
  const clients = new Set<ClientConnection>();
  const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const table = createProcessTable();
  const guard = createGuard<ClientConnection>({
    folder,
    onChange() {
      record();
      considerEnding();
    },
  });
  let lastHandle = 0;
  let endTimer: NodeJS.Timeout | undefined;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const describe = (): HostRecord => ({
    ...identity,
    instance,
    protocol: PROTOCOL_VERSION,
    origin,
    ...(ceiling === undefined ? {} : { ceiling }),
    ...(guard.started === undefined ? {} : { supervisor: guard.started }),
    terminals: [...terminals.values()]
      .filter(({ exit }) => exit === undefined)
      .map((terminal) => ({
        ...terminal.identity,
        terminalId: terminal.terminalId,
        mark: terminal.mark,
        file: terminal.describe().file,
      })),
  });
  const record = () => writeHostRecord(folder, describe());
  const considerEnding = () => {
    clearTimeout(endTimer);
    const running = [...terminals.values()].some(({ exit }) => exit === undefined);
    if (clients.size > 0 || running || guard.isWaiting) return;
    endTimer = setTimeout(finish, terminals.size === 0 ? graceMs : exitedGraceMs);
  };
  const room: HostRoom = {
    instance,
    all: () => terminals.values(),
    get: (terminalId) => terminals.get(terminalId),
    start(params) {
      const terminal = startTerminal({
        params,
        handle: ++lastHandle,
        instance,
        folder,
        readBuffer,
        table,
        privateFds: [...terminals.values()].flatMap(({ fds }) => fds),
        onChange: () => {
          for (const client of clients) client.changed(terminal);
        },
        onExit: () => {
          record();
          considerEnding();
        },
      });
      terminals.set(params.terminalId, terminal);
      record();
      return terminal;
    },
    forget: (terminalId) => void terminals.delete(terminalId),
    guard,
    secrets: new Map(),
  };

  const serve = (socket: Socket) => {
    const gate = openGate(folder, describe);
    const connection = serveClient(socket, (frame) => void answer(frame, { connection, gate }, room));
    clients.add(connection);
    clearTimeout(endTimer);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clients.delete(connection);
      guard.lost(connection);
      gate.close();
      considerEnding();
    });
  };

  let server = await listen(socketPath, serve);
  record();
  considerEnding();
  const housekeeping = setInterval(async () => {
    purgeOutput({ folder, now: Date.now(), olderThanMs: OUTPUT_RETENTION_MS });
    const socketIsGone = statSync(socketPath, { throwIfNoEntry: false }) === undefined;
    if (!socketIsGone || readHostRecord(folder)?.instance !== instance) return;
    server.close(); // the socket was deleted: without it the agents could not be reached any more
    server = await listen(socketPath, serve).catch(() => server);
  }, HOUSEKEEPING_MS);
  const stop = async () => {
    guard.close();
    await Promise.all(Array.from(terminals.values(), (terminal) => terminal.end(STOP_GRACE_MS)));
    finish();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  process.on('SIGHUP', () => {}); // the terminal that the first client was started in is no concern of ours

  await finished;
  clearInterval(housekeeping);
  guard.close();
  if (readHostRecord(folder)?.instance === instance) {
    removeFile(socketPath);
    removeFile(recordFile(folder));
  }
  server.close();
}

async function answer(frame: Frame, client: HostClient, room: HostRoom): Promise<void> {
  if (frame.kind === 'output') return;
  if (frame.kind === 'input') return write(frame, client, room);
  const message = RequestMessage.safeParse(parseJson(frame.json));
  if (!message.success) return; // no request to answer
  const { request, method, params } = message.data;
  try {
    const result = await call(method, params, client.gate.admit(method, room), client);
    client.connection.send({ answer: request, result });
  } catch (error) {
    refuse(request, error, client);
  }
}

function refuse(request: number, error: unknown, { connection }: HostClient): void {
  const refusal = error instanceof Refused ? error.refusal : 'bad-request';
  connection.send({ answer: request, refusal, message: error instanceof Error ? error.message : String(error) });
}

function call<Name extends keyof typeof REQUESTS>(
  method: Name,
  params: unknown,
  room: HostRoom,
  client: HostClient,
): unknown {
  const checked = REQUESTS[method].safeParse(params);
  if (!checked.success) throw new Refused('bad-request', `${method}: ${checked.error.message}`);
  return (HANDLERS[method] as (params: unknown, room: HostRoom, client: HostClient) => unknown)(
    checked.data,
    room,
    client,
  );
}

async function write(
  { request, handle, bytes }: Extract<Frame, { kind: 'input' }>,
  client: HostClient,
  room: HostRoom,
): Promise<void> {
  try {
    const terminals = client.gate.admit('write', room).all();
    const terminal = [...terminals].find((candidate) => candidate.handle === handle);
    const outcome = (await terminal?.write(Buffer.from(bytes))) ?? 'exited';
    if (outcome === 'written') return client.connection.send({ answer: request, result: null });
    const refusal = outcome === 'backlog' ? 'input-backlog' : 'exited';
    throw new Refused(refusal, `the terminal does not take input: ${outcome}`);
  } catch (error) {
    refuse(request, error, client);
  }
}

/** For the user alone, from the first moment. */
async function listen(socketPath: string, serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer(serve);
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve); // binds before it returns
      process.umask(before); // agents have the umask of their users
    });
  } finally {
    process.umask(before);
  }
  chmodSync(socketPath, 0o600);
  return server;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
