import { Command } from 'commander';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { count } from '../words.js';
import type { SuperviseServices } from './supervise-services.js';

const MORE_HELP = `
Runs are paused, since their limits are the supervisor's: \`devs resume RUN\`
continues them. Agents in terminals of yours work on.

Example:
  devs down`;

/** Ends the supervisor. */
export function downCommand(services: SuperviseServices, done: (exitCode: number) => void): Command {
  return new Command('down')
    .description('Stop the supervisor, and pause its runs')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (options: { readonly json?: boolean }) => {
      const runs = await services.supervisor.ask(async (port) => {
        const status = await port.status();
        await port.shutdown('pause').catch(() => {}); // the connection may end first
        return status.runs;
      });
      if (outputMode(options) === 'json') services.print(toJson({ ended: runs !== undefined, paused: runs ?? [] }));
      else if (runs === undefined) services.print('No supervisor is running.');
      else {
        const paused = runs.length === 0 ? '' : ` ${count(runs.length, 'run')} paused.`;
        services.print(`The supervisor has ended.${paused}`);
        for (const { id } of runs) services.print(`Continue with \`devs resume ${id}\`.`);
      }
      done(0);
    });
}
