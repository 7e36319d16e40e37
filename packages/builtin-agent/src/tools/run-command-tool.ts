import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { SandboxedCommand } from '@devs/core';
import { z } from 'zod';
import { createOutputEnds } from './bound-text.js';
import { defineFileTool, type ToolOutcome, type ToolPlace } from './file-tool.js';

/** Between asking a command to end and making it. */
const GRACE_MS = 2_000;
/** Remaining child processes may hold the output open, so they are not awaited. */
const DRAIN_MS = 300;

export const runCommandTool = defineFileTool({
  name: 'run_command',
  description: 'Runs a program in the worktree, without a shell: ["npm", "test"]. It gets no input.',
  isReadOnly: false,
  input: z.strictObject({
    command: z.array(z.string()).min(1).describe('The program and its arguments'),
    timeout_ms: z.int().min(1).optional(),
  }),
  async run({ command, timeout_ms }, place) {
    const { sandbox, root, signal, timeLimitMs } = place;
    signal.throwIfAborted();
    const entered = await sandbox.enter(command, root);
    const limits = { ...place, timeLimitMs: Math.min(timeout_ms ?? timeLimitMs, timeLimitMs) };
    const outcome = await runCommand(entered, limits).finally(() => entered.leave?.());
    return sandbox.kind === 'bubblewrap' ? withoutWrapper(outcome, command) : outcome;
  },
});

/** What bubblewrap says of a program that it does not find, as it would be said without it. */
function withoutWrapper(outcome: ToolOutcome, [program = '']: readonly string[]): ToolOutcome {
  const isMissing =
    outcome.exitCode === 1 && outcome.output === `bwrap: execvp ${program}: No such file or directory\n`;
  return isMissing ? { status: 'error', output: '', errorDetail: noProgram(program) } : outcome;
}

const noProgram = (program: string): string => `there is no program ${program}`;

// REQ: 3_MCP-TAS-073
function runCommand({ command, env }: SandboxedCommand, place: ToolPlace): Promise<ToolOutcome> {
  const [program = '', ...args] = command;
  const { root, mostOutputChars, timeLimitMs, signal } = place;
  signal.throwIfAborted();
  return new Promise((resolve) => {
    const output = createOutputEnds(mostOutputChars);
    // Its own process group, so that it can be ended with its children.
    const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let ending: 'time' | 'abort' | undefined;
    let kill: NodeJS.Timeout | undefined;
    const end = (why: 'time' | 'abort') => {
      if (ending !== undefined) return;
      ending = why;
      endGroup(child, 'SIGTERM');
      kill = setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS);
    };
    const onAbort = () => end('abort');
    const limit = setTimeout(() => end('time'), timeLimitMs);
    signal.addEventListener('abort', onAbort, { once: true });

    let isDone = false;
    const finish = (outcome: ToolOutcome) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(limit);
      clearTimeout(kill);
      if (ending !== undefined) endGroup(child, 'SIGKILL'); // those of the group that did not listen
      signal.removeEventListener('abort', onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(outcome);
    };
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8');
      stream.on('data', (chunk: Buffer) => output.add(decoder.write(chunk)));
      stream.on('error', () => {});
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      const errorDetail = error.code === 'ENOENT' ? noProgram(program) : error.message;
      finish({ status: 'error', output: output.text(), errorDetail });
    });
    const tell = (code: number | null, killedBy: NodeJS.Signals | null) =>
      finish(outcomeOf({ code, killedBy, ending, timeLimitMs, output: output.text() }));
    child.once('close', tell);
    // A program asked to end gets its time, even if its wrapper ends at once.
    child.once('exit', (code, killedBy) =>
      setTimeout(() => tell(code, killedBy), ending === undefined ? DRAIN_MS : GRACE_MS),
    );
  });
}

interface Ended {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly ending: 'time' | 'abort' | undefined;
  readonly timeLimitMs: number;
  readonly output: string;
}

function outcomeOf({ code, killedBy, ending, timeLimitMs, output }: Ended): ToolOutcome {
  if (ending === 'time') {
    const errorDetail = `ended after ${timeLimitMs} ms, which is the limit, with everything that it started`;
    return { status: 'TIMEOUT_EXCEEDED', output, errorDetail };
  }
  if (ending === 'abort') return { status: 'error', output, errorDetail: 'interrupted' };
  if (code === 0) return { output, exitCode: 0 };
  const errorDetail = code === null ? `ended by ${killedBy}` : `exit code ${code}`;
  return { status: 'error', output, errorDetail, ...(code === null ? {} : { exitCode: code }) };
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone.
  }
}
