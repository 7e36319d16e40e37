import { CliError, UsageError } from '../cli-error.js';

/** What libraries write to, besides the agent's own screen. */
const WRITERS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/**
 * Keeps libraries from writing to the terminal of an agent: a warning on its screen would look like work. Returns a
 * function that restores the previous state.
 */
export function quietProcess(console: Console, process: Pick<NodeJS.Process, 'listeners' | 'on' | 'off'>): () => void {
  const before = WRITERS.map((name) => [name, console[name]] as const);
  for (const name of WRITERS) console[name] = () => {};
  const warners = process.listeners('warning');
  for (const warner of warners) process.off('warning', warner);
  return () => {
    for (const [name, write] of before) console[name] = write;
    for (const warner of warners) process.on('warning', warner);
  };
}

export interface HeldTerminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Aborted when this process is told to end. */
  readonly signal: AbortSignal;
}

interface Holder {
  readonly process: NodeJS.Process;
  readonly loadAgent: () => Promise<Pick<typeof import('@devs/builtin-agent'), 'AgentError'>>;
  /** As it is typed: `devs acp`. */
  readonly command: string;
}

/** Lets a program work in the terminal of this process until it ends, or is told to. */
export async function holdInTerminal(
  { process, loadAgent, command }: Holder,
  work: (terminal: HeldTerminal) => Promise<number>,
): Promise<number> {
  const { AgentError } = await loadAgent();
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY) throw new UsageError(`${command} needs a terminal.`);
  const unquiet = quietProcess(console, process);
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once('SIGTERM', end).once('SIGHUP', end);
  try {
    return await work({ input, output, signal: ending.signal });
  } catch (error) {
    if (error instanceof AgentError) throw new CliError(error.message, { cause: error });
    throw error;
  } finally {
    unquiet();
    process.off('SIGTERM', end).off('SIGHUP', end);
  }
}
