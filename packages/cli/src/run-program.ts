import { DevsError, StoreInputError } from '@devs/core';
import { type Command, CommanderError } from 'commander';
import { CliError, UsageError } from './cli-error.js';
import { adviceForSystemError } from './files/system-error.js';
import type { Console } from './screen/console.js';
import { visible } from './screen/visible.js';

const DONE = 0;
const FAILED = 1;
const USAGE = 2;

interface Asked {
  readonly program: Command;
  readonly argv: readonly string[];
  /** What the command said at its end. */
  readonly exitCode: () => number;
}

/** From a program and its arguments to an exit code: 0 done, 1 failed, 2 usage. */
export async function runProgram({ program, argv, exitCode }: Asked, { warn }: Pick<Console, 'warn'>): Promise<number> {
  const group = groupAskedFor(program, argv);
  if (group !== undefined) {
    group.outputHelp();
    return DONE;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE; // commander has reported the mistake
    warn(`devs: ${describe(error)}`);
    return error instanceof UsageError || error instanceof StoreInputError ? USAGE : FAILED;
  }
}

/** `devs debug` and `devs task` alone ask for the list of their commands. */
function groupAskedFor(program: Command, argv: readonly string[]): Command | undefined {
  if (argv.length === 0) return undefined;
  let command: Command | undefined = program;
  for (const name of argv) command = command?.commands.find((candidate) => candidate.name() === name);
  return command !== undefined && command.commands.length > 0 ? command : undefined;
}

function describe(error: unknown): string {
  if (error instanceof CliError) return error.message;
  if (error instanceof DevsError) return visible(error.message);
  const advice = adviceForSystemError(error);
  if (advice !== undefined) return visible(advice);
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `this is a mistake in devs, please report it.\n${details}`;
}
