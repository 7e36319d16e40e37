import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import type { Sandbox } from '@devs/core';
import { signalGroup, stopReading } from '../signal-group.js';

export interface CommandRequest {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Where it runs; its environment comes from there, too. */
  readonly sandbox?: Sandbox | undefined;
}

export interface CommandRan {
  readonly command: readonly string[];
  /** 124 where it took too long, 127 where there is no such program, 130 where it was stopped. */
  readonly exitCode: number;
  /** End of its output, both streams interleaved. */
  readonly tail: string;
}

const MAX_TAIL = 8_000;

/** Runs a program to its end, without a shell or a terminal. Its child processes end with it. */
export async function runCommand(request: CommandRequest): Promise<CommandRan> {
  const { command, folder, sandbox } = request;
  if (command.length === 0) return { command, exitCode: 127, tail: 'an empty command' };
  if (sandbox === undefined) return run(request);
  const entered = await sandbox.enter(command, await realpath(folder));
  try {
    return { ...(await run({ ...request, ...entered })), command };
  } finally {
    await entered.leave?.();
  }
}

function run({ command, folder, env, timeMs, signal }: CommandRequest): Promise<CommandRan> {
  const [file = '', ...args] = command;
  const deadline = AbortSignal.timeout(timeMs);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  return new Promise((resolve) => {
    let tail = '';
    const end = (exitCode: number, more = '') => {
      stop.removeEventListener('abort', onStop);
      resolve({ command, exitCode, tail: `${tail}${more}`.slice(-MAX_TAIL) });
    };
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const onStop = () => {
      stopReading(child);
      signalGroup(child, 'SIGKILL');
      if (signal?.aborted) end(130, '\n(stopped)');
      else end(124, `\n(it took longer than ${Math.round(timeMs / 1_000)} s and was ended)`);
    };
    if (stop.aborted) return onStop();
    stop.addEventListener('abort', onStop);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        tail = `${tail}${text}`.slice(-MAX_TAIL);
      });
    child.on('error', (error) => end(127, String(error.message)));
    child.on('close', (code, killedBy) => end(code ?? 128, killedBy === null ? '' : `\n(ended by ${killedBy})`));
  });
}
