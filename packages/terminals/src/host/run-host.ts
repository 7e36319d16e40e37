import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
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
export async function runHost(options: HostOptions): Promise<void> {
  const ceiling = lowerCeiling(); // before the first terminal, which is below it from its start
  const house = new House(options, ceiling);
  const { folder, socketPath } = options;
  const serve = (socket: Socket) => house.serve(socket);
  let server = await listen(socketPath, serve);
  house.begin();
  const housekeeping = setInterval(async () => {
    purgeOutput({ folder, now: Date.now(), olderThanMs: OUTPUT_RETENTION_MS });
    // Not by statSync: after it, Node 20 resolves imports without following links.
    if (existsSync(socketPath) || !house.isRecorded()) return;
    server.close(); // the socket was deleted: without it the agents could not be reached any more
    server = await listen(socketPath, serve).catch(() => server);
  }, HOUSEKEEPING_MS);
  const stop = () => house.stop();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  process.on('SIGHUP', () => {}); // the terminal that the first client was started in is no concern of ours

  await house.finished;
  clearInterval(housekeeping);
  house.guard.close();
  if (house.isRecorded()) {
    removeFile(socketPath);
    removeFile(recordFile(folder));
  }
  server.close();
}

/** The terminals of a host and its clients; finished when it has neither. */
class House implements HostRoom {
  readonly instance = randomUUID();
  readonly secrets = new Map();
  readonly guard: HostRoom['guard'];
  readonly finished: Promise<void>;
  private finish: () => void = () => {};
  private readonly identity = identifyProcess(process.pid) ?? { pid: process.pid, started: 'unknown' };
  private readonly origin = (process.env[HOST_VARIABLE] ?? '').split(' ').filter((mark) => mark !== '');
  private readonly terminals = new Map<string, HostedTerminal>();
  private readonly clients = new Set<ClientConnection>();
  private readonly readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
  private readonly table = createProcessTable();
  private lastHandle = 0;
  private endTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: HostOptions,
    private readonly ceiling: HostRecord['ceiling'],
  ) {
    this.guard = createGuard<ClientConnection>({ folder: options.folder, onChange: () => this.begin() });
    this.finished = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  /** Says on disk what it holds, and ends soon where that is nothing. */
  begin(): void {
    this.record();
    this.considerEnding();
  }

  all = () => this.terminals.values();
  get = (terminalId: string) => this.terminals.get(terminalId);
  forget = (terminalId: string) => void this.terminals.delete(terminalId);
  isRecorded = () => readHostRecord(this.options.folder)?.instance === this.instance;

  /** A property, as the others: a gate gives parts of the room to callers. */
  start = (params: Parameters<HostRoom['start']>[0]): HostedTerminal => {
    const terminal = startTerminal({
      params,
      handle: ++this.lastHandle,
      instance: this.instance,
      folder: this.options.folder,
      readBuffer: this.readBuffer,
      table: this.table,
      privateFds: [...this.terminals.values()].flatMap(({ fds }) => fds),
      onChange: () => {
        for (const client of this.clients) client.changed(terminal);
      },
      onExit: () => this.begin(),
    });
    this.terminals.set(params.terminalId, terminal);
    this.record();
    return terminal;
  };

  serve(socket: Socket): void {
    const gate = openGate(this.options.folder, () => this.describe());
    const connection = serveClient(socket, (frame) => void answer(frame, { connection, gate }, this));
    this.clients.add(connection);
    clearTimeout(this.endTimer);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.clients.delete(connection);
      this.guard.lost(connection);
      gate.close();
      this.considerEnding();
    });
  }

  async stop(): Promise<void> {
    this.guard.close();
    await Promise.all(Array.from(this.terminals.values(), (terminal) => terminal.end(STOP_GRACE_MS)));
    this.finish();
  }

  private record(): void {
    writeHostRecord(this.options.folder, this.describe());
  }

  private describe(): HostRecord {
    const running = [...this.terminals.values()].filter(({ exit }) => exit === undefined);
    return {
      ...this.identity,
      instance: this.instance,
      protocol: PROTOCOL_VERSION,
      origin: this.origin,
      ...(this.ceiling === undefined ? {} : { ceiling: this.ceiling }),
      ...(this.guard.started === undefined ? {} : { supervisor: this.guard.started }),
      terminals: running.map(({ identity, terminalId, mark, describe }) => ({
        ...identity,
        terminalId,
        mark,
        file: describe().file,
      })),
    };
  }

  private considerEnding(): void {
    clearTimeout(this.endTimer);
    const running = [...this.terminals.values()].some(({ exit }) => exit === undefined);
    if (this.clients.size > 0 || running || this.guard.isWaiting) return;
    const { graceMs, exitedGraceMs } = this.options;
    this.endTimer = setTimeout(this.finish, this.terminals.size === 0 ? graceMs : exitedGraceMs);
  }
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
