import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Seat } from '@devs/terminals/admission';
import { type ControlAnswer, type ControlRequest, parseControlCall } from './control-message.js';

const MOST_REQUEST_CHARS = 4 << 20;

export interface ControlPlace {
  /** Of the terminal. */
  readonly name: string;
  readonly socketPath: string;
  /** Of the host that holds the terminal: its records say who sits in one. */
  readonly hostFolder: string;
}

type Answer = (request: ControlRequest) => Promise<unknown>;

/**
 * Listens for other processes of this user. The caller of this function holds the lease of the terminal, so anything at this
 * path was left by a process that is gone.
 */
export async function serveControl(place: ControlPlace, answer: Answer): Promise<{ close(): void }> {
  const { socketPath } = place;
  const folder = dirname(socketPath);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => hear(socket, (lines) => converse(lines, place, answer)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', () => {});
  chmodSync(socketPath, 0o600);
  server.unref();
  return { close: () => server.close() }; // which removes the path
}

/** What the caller wrote, line by line, and a way to write one. */
interface Lines {
  next(): Promise<string>;
  say(value: unknown): void;
}

/** Until the last word is said, or the caller is gone. */
function hear(socket: Socket, talk: (lines: Lines) => Promise<ControlAnswer>): void {
  const heard: string[] = [];
  let text = '';
  let wake: () => void = () => {};
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.on('data', (part: string) => {
    const [last = '', ...lines] = `${text}${part}`.split('\n').reverse();
    text = last;
    if (text.length > MOST_REQUEST_CHARS) socket.destroy();
    heard.push(...lines.reverse());
    wake();
  });
  const gone = new Promise<never>((_, reject) => socket.once('close', () => reject(new Error('the caller is gone'))));
  gone.catch(() => {});
  const lines: Lines = {
    async next() {
      while (heard.length === 0) {
        const more = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([more, gone]);
      }
      return heard.shift() ?? '';
    },
    say: (value) => void socket.write(`${JSON.stringify(value)}\n`),
  };
  talk(lines).then(
    (answer) => socket.end(`${JSON.stringify(answer)}\n`),
    () => socket.destroy(),
  );
}

/** A line asks, a challenge and its proof show which process asks, a line answers. */
async function converse(lines: Lines, { name, socketPath, hostFolder }: ControlPlace, answer: Answer) {
  const call = parseControlCall(await lines.next());
  if (call === undefined) return failed('this version of devs does not know this request');
  const { issueChallenge, seatIn } = await import('@devs/terminals/admission');
  const challenge = issueChallenge(dirname(socketPath));
  try {
    lines.say({ challenge: challenge.name });
    await lines.next();
    if (!challenge.isMetBy(call.pid)) return failed(`process ${call.pid} did not show that it is the caller`);
  } finally {
    challenge.close();
  }
  if (!mayAsk(seatIn(hostFolder, call.pid), call.request, name)) {
    return failed(`"${call.request.do}" was asked for inside of a terminal of devs. Ask from another window.`);
  }
  try {
    return { status: 'done', result: (await answer(call.request)) ?? null } as const;
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Callers in a hosted terminal are told the status of their own one, and nothing else. */
const mayAsk = (seat: Seat, request: ControlRequest, name: string): boolean =>
  seat.kind === 'outside' || (request.do === 'status' && seat.terminalId === name);

const failed = (error: string): ControlAnswer => ({ status: 'failed', error });
