import { DevsError, StoreInputError } from '@devs/core';
import { type Command, CommanderError } from 'commander';
import { CliError, UsageError } from './cli-error.js';
import type { Services } from './compose.js';
import { adviceForSystemError } from './files/system-error.js';
import { FIRST_STEPS } from './help-groups.js';
import { asksForOverview } from './overview/asks-for-overview.js';
import { createOverview, createProgram } from './program.js';
import { visible } from './screen/visible.js';
import { protectAgentArguments } from './terminal/protect-agent-arguments.js';

const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** From arguments to an exit code: 0 done, 1 failed, 2 usage. */
export async function run(given: readonly string[], services: Services): Promise<number> {
  const argv = protectAgentArguments(given);
  let exitCode = DONE;
  const done = (code: number) => {
    exitCode = code;
  };
  const asked = asksForOverview(argv)
    ? await createOverview(services, done, () => services.print(FIRST_STEPS))
    : await createProgram(services, done, argv);
  const group = groupAskedFor(asked, argv);
  if (group !== undefined) {
    group.outputHelp();
    return DONE;
  }
  try {
    await asked.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE; // commander has reported the mistake
    services.complain(`devs: ${describe(error)}`);
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
