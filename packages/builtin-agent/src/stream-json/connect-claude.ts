import { type ChildProcess, spawn } from 'node:child_process';
import type { JsonObject } from '@devs/core';
import { AgentError } from '../session/agent-error.js';
import { readMessage, type StreamMessage } from './read-message.js';
import type { StreamSetup } from './stream-setup.js';

/** A Claude Code process that was shaken hands with. */
export interface ConnectedClaude {
  send(message: JsonObject): void;
  /** What it answers to a control request; `undefined` where it does not know it, or has ended. */
  request(request: JsonObject): Promise<JsonObject | undefined>;
  /** Resolves when the process has ended, with what it said last. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/** The program answers in another way, or ends by itself. A killed program may speak it the next time. */
export class NotSpokenError extends AgentError {}

const END_MS = 3_000;
const GREETING_MS = 120_000;
const MAX_STDERR = 4_000;

/** Its own events of its state, which it leaves out otherwise. */
const TELLS_STATE = { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' };

/** Starts the program and shakes hands. Rejects with an `AgentError` where that cannot be done. */
export async function connectClaude(
  setup: StreamSetup,
  onMessage: (message: StreamMessage) => void,
): Promise<ConnectedClaude> {
  const [command = '', ...args] = setup.command;
  const env = { ...setup.user.env, ...TELLS_STATE };
  const child = spawn(command, args, { cwd: setup.folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<string, (value: JsonObject | undefined) => void>();
  child.stdin.on('error', () => {}); // its end is told
  const ended = endOf(child);
  void ended.then(() => {
    for (const answer of waiting.values()) answer(undefined);
  });
  const hear = (line: string) => {
    const message = readMessage(line);
    if (message?.type !== 'response') return message === undefined ? undefined : onMessage(message);
    waiting.get(message.requestId)?.(message.value);
    waiting.delete(message.requestId);
  };
  readLines(child.stdout, hear);
  const send = (message: JsonObject) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const request = (asked: JsonObject): Promise<JsonObject | undefined> =>
    new Promise((resolve) => {
      const id = setup.newId();
      waiting.set(id, resolve);
      send({ type: 'control_request', request_id: id, request: asked });
    });
  const close = () => endClaude(child, ended);
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), GREETING_MS).unref();
  });
  const greeted = await Promise.race([request({ subtype: 'initialize' }), late]);
  if (greeted !== undefined && greeted !== 'late') return { send, request, ended, close };
  await close();
  const why = greeted === 'late' ? 'it did not answer' : await ended;
  const message = `${command} does not speak stream-json: ${why}`;
  throw KILLED.test(why) ? new AgentError(message) : new NotSpokenError(message);
}

const KILLED = /^with SIG/;

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}

function endOf(child: ChildProcess): Promise<string> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-MAX_STDERR);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(stderr.trim() || `with ${signal ?? `code ${code}`}`));
  });
}

/** At the end of its input it ends its turn first, however long that takes: so signals follow. */
async function endClaude(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.stdin?.end();
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const softly = setTimeout(() => child.kill('SIGTERM'), END_MS / 10);
  const firmly = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(softly);
  clearTimeout(firmly);
}
