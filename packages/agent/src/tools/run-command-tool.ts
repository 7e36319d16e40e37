import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { createOutputEnds } from './bound-text.js';
import { defineFileTool, type ToolOutcome, type ToolPlace } from './file-tool.js';

/** Between asking a command to end and making it. */
const GRACE_MS = 2_000;
/** What a command leaves running may hold its output open: it is not waited for. */
const DRAIN_MS = 300;
/** The keys are for the agent's own model. */
const KEPT_BACK = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'];

export const runCommandTool = defineFileTool({
  name: 'run_command',
  description: 'Runs a program in the worktree, without a shell: ["npm", "test"]. It gets no input.',
  isReadOnly: false,
  input: z.strictObject({
    command: z.array(z.string()).min(1).describe('The program and its arguments'),
    timeout_ms: z.int().min(1).optional(),
  }),
  run: ({ command, timeout_ms }, place) =>
    runCommand(command, { ...place, timeLimitMs: Math.min(timeout_ms ?? place.timeLimitMs, place.timeLimitMs) }),
});

// REQ: 3_MCP-TAS-073
function runCommand([program = '', ...args]: readonly string[], place: ToolPlace): Promise<ToolOutcome> {
  const { root, env, mostOutputChars, timeLimitMs, signal } = place;
  signal.throwIfAborted();
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => !KEPT_BACK.includes(name)));
  return new Promise((resolve) => {
    const output = createOutputEnds(mostOutputChars);
    // A group of its own, so that it can be ended with everything that it started.
    const child = spawn(program, args, { cwd: root, env: given, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
      const errorDetail = error.code === 'ENOENT' ? `there is no program ${program}` : error.message;
      finish({ status: 'error', output: output.text(), errorDetail });
    });
    const tell = (code: number | null, killedBy: NodeJS.Signals | null) =>
      finish(outcomeOf({ code, killedBy, ending, timeLimitMs, output: output.text() }));
    child.once('close', tell);
    child.once('exit', (code, killedBy) => setTimeout(() => tell(code, killedBy), DRAIN_MS));
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
