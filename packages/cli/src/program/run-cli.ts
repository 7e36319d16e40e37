import type { Composed } from '../compose.js';
import { runProgram } from '../run-program.js';
import { protectAgentArguments } from '../terminal/protect-agent-arguments.js';
import { FIRST_STEPS } from './help-groups.js';
import { createOverview, createProgram } from './program.js';

/** From arguments to an exit code: 0 done, 1 failed, 2 usage. */
export async function run(given: readonly string[], services: Composed): Promise<number> {
  const argv = protectAgentArguments(given);
  let exitCode = 0;
  const done = (code: number) => {
    exitCode = code;
  };
  const program = asksForOverview(argv)
    ? await createOverview(services, done, () => services.print(FIRST_STEPS))
    : await createProgram(services, done, argv);
  return runProgram({ program, argv, exitCode: () => exitCode }, services);
}

/** Whether only options of the overview are given: then `devs` shows the overview. Pure. */
export function asksForOverview(argv: readonly string[]): boolean {
  const [first, ...rest] = argv;
  if (first === undefined) return true;
  if (first === '--json' || first.startsWith('--store=')) return asksForOverview(rest);
  return first === '--store' && rest.length > 0 && asksForOverview(rest.slice(1));
}
