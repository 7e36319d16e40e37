import { type Command, CommanderError } from 'commander';
import { CliError } from './cli-error.js';
import type { Services } from './compose.js';
import { createProgram } from './program.js';

const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** From arguments to an exit code: 0 done, 1 failed, 2 usage. */
export async function run(argv: readonly string[], services: Services): Promise<number> {
  let exitCode = DONE;
  const program = createProgram(services, (code) => {
    exitCode = code;
  });
  const group = groupAskedFor(program, argv);
  if (group !== undefined) {
    group.outputHelp();
    return DONE;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE; // commander has said what is wrong
    services.complain(`devs: ${describe(error)}`);
    return FAILED;
  }
}

/** `devs` and `devs debug` by themselves ask what there is. */
function groupAskedFor(program: Command, argv: readonly string[]): Command | undefined {
  let command: Command | undefined = program;
  for (const name of argv) command = command?.commands.find((candidate) => candidate.name() === name);
  return command !== undefined && command.commands.length > 0 ? command : undefined;
}

function describe(error: unknown): string {
  if (error instanceof CliError) return error.message;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `this is a mistake in devs, please report it.\n${details}`;
}
