import type { Services } from '../compose.js';
import { asksForOverview } from '../overview/asks-for-overview.js';
import { runProgram } from '../run-program.js';
import { protectAgentArguments } from '../terminal/protect-agent-arguments.js';
import { FIRST_STEPS } from './help-groups.js';
import { createOverview, createProgram } from './program.js';

/** From arguments to an exit code: 0 done, 1 failed, 2 usage. */
export async function run(given: readonly string[], services: Services): Promise<number> {
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
