import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { SupervisorPort } from '@devs/supervisor';
import { type Challenge, issueChallenge, type Seat } from '@devs/terminals/admission';
import { MAX_LINE_CHARS, readLines, writeLine } from './lines.js';
import { isMethodName, METHODS, type ServerLine, WIRE_VERSION } from './messages.js';

/** More than a caller needs to say who it is. */
const MAX_STRANGER_CHARS = 4 << 10;

export interface ServedSupervisor {
  readonly port: SupervisorPort;
  readonly version: string;
  readonly socketPath: string;
  /** Where a caller sits: what runs inside of a terminal of devs may ask for nothing. */
  seatOf(pid: number): Seat;
  /** A client connected or disconnected. */
  onClients(count: number): void;
}

/** Answers the user's other processes. The folder is the user's alone, and the caller holds its lock: what is at the path was left behind. */
export async function serveSupervisor(served: ServedSupervisor): Promise<{ close(): void }> {
  const { socketPath } = served;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    served.onClients(sockets.size);
    socket.on('close', () => {
      sockets.delete(socket);
      served.onClients(sockets.size);
    });
    socket.on('error', () => socket.destroy());
    serveClient(socket, served);
  });
  rmSync(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject); // it stays: what fails later, such as an accept, ends nothing
    server.listen(socketPath, resolve);
  });
  chmodSync(socketPath, 0o600);
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.end();
    },
  };
}

function serveClient(socket: Socket, served: ServedSupervisor): void {
  let challenge: { readonly issued: Challenge; readonly pid: number } | undefined;
  let state: 'unknown' | 'admitted' | 'refused' = 'unknown';
  const say = (line: ServerLine) => writeLine(socket, line);
  const answers = createAnswers(served.port, say);
  const refuse = (why: string) => {
    state = 'refused';
    say({ refused: why });
    socket.end();
  };
  const greet = (hello: unknown) => {
    if (challenge !== undefined) return refuse('the caller said twice who it is');
    const { wire, pid } = hello as { readonly wire?: unknown; readonly pid?: unknown };
    if (wire !== WIRE_VERSION) return refuse(`this supervisor speaks version ${WIRE_VERSION} of its protocol`);
    challenge = { issued: issueChallenge(dirname(served.socketPath)), pid: Number(pid) };
    say({ challenge: challenge.issued.name });
  };
  const prove = () => {
    const isMet = challenge?.issued.isMetBy(challenge.pid) === true;
    challenge?.issued.close();
    if (challenge === undefined || !isMet) return refuse('the caller did not show which process it is');
    if (served.seatOf(challenge.pid).kind !== 'outside')
      return refuse('it was asked for inside of a terminal of devs. Ask from another window');
    state = 'admitted';
    say({ welcome: { wire: WIRE_VERSION, version: served.version, pid: process.pid } });
  };
  const hear = (line: Readonly<Record<string, unknown>>) => {
    if (state === 'refused') return;
    if (state === 'admitted') answers.hear(line);
    else if (typeof line.hello === 'object' && line.hello !== null) greet(line.hello);
    else if (line.proved === true) prove();
    else refuse('the caller did not say who it is');
  };
  const onLine = (line: Readonly<Record<string, unknown>>) => {
    try {
      hear(line);
    } catch (error) {
      refuse(error instanceof Error ? error.message : String(error)); // all others are served as before
    }
  };
  readLines(socket, onLine, () => (state === 'admitted' ? MAX_LINE_CHARS : MAX_STRANGER_CHARS));
  socket.on('close', () => {
    challenge?.issued.close();
    answers.close();
  });
}

/** What a caller that is admitted asks for, and may cancel. */
function createAnswers(port: SupervisorPort, say: (line: ServerLine) => void) {
  const asked = new Map<number, AbortController>();
  const answer = async (id: number, method: unknown, params: unknown) => {
    const own = new AbortController();
    asked.set(id, own);
    try {
      if (!isMethodName(method)) throw new Error(`this version of devs does not know "${String(method)}"`);
      const perform = METHODS[method] as (port: SupervisorPort, ...params: unknown[]) => Promise<unknown>;
      const given = Array.isArray(params) ? params : [];
      say({ answer: id, result: (await perform(port, ...given, own.signal)) ?? null });
    } catch (error) {
      say({ answer: id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      asked.delete(id);
    }
  };
  return {
    hear({ ask, cancel, method, params }: Readonly<Record<string, unknown>>): void {
      if (typeof ask === 'number') void answer(ask, method, params);
      else if (typeof cancel === 'number') asked.get(cancel)?.abort();
    },
    close() {
      for (const own of asked.values()) own.abort();
    },
  };
}
