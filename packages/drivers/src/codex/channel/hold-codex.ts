import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ChannelLaunch,
  type CommandLine,
  channelFiles,
  readChannelLaunch,
  readChannelThread,
  writeChannelFile,
} from './channel-files.js';
import { connectAppServer } from './connect-app-server.js';

export interface Holding {
  /** Where the files of the launch are. */
  readonly folder: string;
  readonly pid: number;
  say(text: string): void;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
}

const READY_MS = 30_000;
const AGAIN_MS = 100;
const LOOK_MS = 500;
const END_MS = 2_000;

/**
 * Holds Codex's app server in a terminal, and shows Codex's own screen of the conversation there. Where the server does not answer,
 * Codex runs as it always did, and is typed into. Resolves with the exit code.
 */
export async function holdCodex({ folder, pid, say, signal }: Holding): Promise<number> {
  const files = channelFiles(folder);
  const launch = await readChannelLaunch(folder);
  if (launch === undefined) throw new Error(`${files.launch} is missing: devs starts this program by itself`);
  for (const stale of [files.state, files.thread]) rmSync(stale, { force: true });
  const sockets = mkdtempSync(join(tmpdir(), 'devs-codex-')); // 0700, and short enough for a socket
  const socket = join(sockets, 's');
  const log = openSync(files.log, 'w', 0o600);
  const { command, args } = launch.server;
  const server = spawn(command, [...args, '--listen', `unix://${socket}`], { stdio: ['ignore', log, log] });
  try {
    const why = await untilReady(server, socket, signal);
    if (signal.aborted) return ENDED;
    if (why !== undefined) {
      await endChild(server);
      await writeChannelFile(files.state, { pid, kind: 'typed', why });
      say(`devs: Codex's app server cannot be used (${why}): this Codex is typed into instead.`);
      return await untilEnd(spawn(launch.typed.command, [...launch.typed.args], { stdio: 'inherit' }), signal);
    }
    await writeChannelFile(files.state, { pid, kind: 'channel', socket });
    say('Codex, over its app server. Its own screen comes with the first prompt.');
    return await showScreens({ launch, socket, folder, pid, say, signal }, server);
  } finally {
    await endChild(server);
    rmSync(sockets, { recursive: true, force: true });
  }
}

/** As a shell says it of a program that SIGTERM ended. */
const ENDED = 143;

/** Why the server cannot be used; `undefined` where it shook hands. */
async function untilReady(server: ChildProcess, socket: string, signal: AbortSignal): Promise<string | undefined> {
  let ended: string | undefined;
  server.once('error', (error) => {
    ended = error.message;
  });
  server.once('exit', (code, by) => {
    ended = `it ended with ${by ?? `code ${code}`}`;
  });
  let last = 'it does not answer';
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline && !signal.aborted; ) {
    if (ended !== undefined) return ended;
    const deaf = { onNotification() {}, onRequest() {}, onClose() {} };
    const connected = await connectAppServer(socket, deaf).catch((error: unknown) => {
      last = String(error);
      return undefined;
    });
    const probed = await connected?.request('thread/loaded/list', {}).catch((error: unknown) => {
      last = String(error);
      return undefined;
    });
    connected?.close();
    if (probed !== undefined) return undefined;
    await pause(AGAIN_MS);
  }
  return last;
}

interface Showing extends Holding {
  readonly launch: ChannelLaunch;
  readonly socket: string;
}

/** Codex's screen follows the conversation, until the server ends or the user quits. */
async function showScreens(showing: Showing, server: ChildProcess): Promise<number> {
  const { folder, pid, launch, socket, say, signal } = showing;
  const files = channelFiles(folder);
  const served = untilEnd(server, signal);
  let end: number | undefined;
  void served.then((code) => {
    end = code === 0 ? 1 : code; // it never ends by itself
    wake();
  });
  let wake = () => {};
  const watching = watch(folder, (_, name) => {
    if (name === basename(files.thread)) wake();
  });
  let screen: Screen | undefined;
  let shown: string | undefined;
  try {
    while (end === undefined && !signal.aborted) {
      const thread = await readChannelThread(folder, pid);
      if (thread?.hasTurn === true && thread.id !== shown) {
        await screen?.end();
        shown = thread.id;
        screen = openScreen(launch.screen, socket, shown, (code) => {
          if (code === 0) end = 0;
          else say(`devs: Codex's screen ended with ${code}; the conversation continues without it.`);
          wake();
        });
      }
      await Promise.race([
        pause(LOOK_MS),
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
      ]);
    }
    return end ?? ENDED;
  } finally {
    watching.close();
    await screen?.end();
  }
}

interface Screen {
  end(): Promise<void>;
}

function openScreen(line: CommandLine, socket: string, thread: string, onEnd: (code: number) => void): Screen {
  const args = [...line.args, '--remote', `unix://${socket}`, 'resume', thread];
  const child = spawn(line.command, args, { stdio: 'inherit' });
  let isEnding = false;
  child.once('error', () => onEnd(1));
  child.once('exit', (code) => {
    if (!isEnding) onEnd(code ?? 1);
  });
  return {
    async end() {
      isEnding = true;
      await endChild(child);
    },
  };
}

function untilEnd(child: ChildProcess, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const end = () => void endChild(child);
    signal.addEventListener('abort', end, { once: true });
    child.once('error', () => resolve(127));
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      resolve(code ?? ENDED);
    });
  });
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGTERM');
  const firmly = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(firmly);
}
