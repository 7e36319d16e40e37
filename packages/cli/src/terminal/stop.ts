import { Command } from 'commander';
import { jsonOption, NAME } from '../program/options.js';
import { namedRun } from '../run/find-run.js';
import { withRunStore } from '../run/other-project.js';
import type { RunServices } from '../run/run-services.js';
import { giveUpRun, type StoppedRun, stopRun } from '../run/stop-run.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withStore } from '../store-access/with-store.js';
import type { StopReport } from './stop-terminal.js';

const MORE_HELP = `
The agent is asked to end, and ended after three seconds; then everything that
it started. Its conversation stays: \`devs resume\` continues it. Of a run, by
its id, the agent is ended in the same way, and the run is paused.

Examples:
  devs stop shop
  devs stop 3f9c

Exit codes: 0 stopped, or it was not running, 1 something could not be ended.`;

export function stopCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('stop')
    .description('End an agent and everything that it started')
    .argument(...NAME)
    .option('--give-up', 'of a run: for good; what it made stays')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (name: string, _options: unknown, command: Command) => {
      const given = command.optsWithGlobals<StoreOptions & { json?: boolean; giveUp?: boolean }>();
      const options = await withRunStore(name, given, services);
      const run = await namedRun(name, options, services);
      if (run !== undefined) {
        const outcome = await stopRun(run, options, services);
        if (options.giveUp) {
          await withStore(services, options, ({ store }) => giveUpRun(store, run.id, 'you gave it up'));
        }
        services.print(
          outputMode(options) === 'json'
            ? toJson({ run: run.id, outcome })
            : describeRun(run.id, outcome, options.giveUp === true),
        );
        return done(0);
      }
      const report = await services.terminals.stop(name);
      services.print(outputMode(options) === 'json' ? toJson(report) : describe(report).join('\n'));
      done(report.left.length === 0 ? 0 : 1);
    });
}

function describeRun(id: string, outcome: StoppedRun, isGivenUp: boolean): string {
  if (outcome === 'was-over') return `Run ${id} is over already. See \`devs report ${id}\`.`;
  const did = outcome === 'stopped' ? `Stopped run ${id}.` : `Run ${id} was not running.`;
  if (isGivenUp) return `${did} Marked as abandoned; see \`devs report ${id}\`.`;
  return `${did} Continue with \`devs resume ${id}\`.`;
}

function describe({ name, wasRunning, ended, left }: StopReport): string[] {
  const next = `Open its conversation again with \`devs resume ${name}\`.`;
  if (!wasRunning) return [`${name} was not running. ${next}`];
  const [agent, ...others] = ended;
  return [
    agent === undefined ? `${name} has ended.` : `Stopped ${name} (${visible(agent.command)}, pid ${agent.pid}).`,
    ...(others.length === 0 ? [] : ['Also stopped its child processes:']),
    ...others.map(({ pid, command }) => `  ${pid}  ${visible(command)}`),
    ...left.map(({ pid, command }) => `Could not be ended: ${pid}  ${visible(command)}`),
    next,
  ];
}
