import type { SupervisorStatus } from '@devs/supervisor';
import { Command } from 'commander';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { describeSpan } from '../time/describe-time.js';
import type { SuperviseServices } from './supervise-services.js';

const MORE_HELP = `
Example:
  devs status --json`;

/** Shows the process that supervises. */
export function statusCommand(services: SuperviseServices, done: (exitCode: number) => void): Command {
  return new Command('status')
    .description('Show the supervisor and what it holds')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (options: { readonly json?: boolean }) => {
      const status = await services.supervisor.ask((port) => port.status());
      if (outputMode(options) === 'json') services.print(toJson({ supervisor: status ?? null }));
      else for (const line of describe(status, services)) services.print(line);
      done(0);
    });
}

function describe(status: SupervisorStatus | undefined, { clock, version }: SuperviseServices): readonly string[] {
  if (status === undefined)
    return ['No supervisor is running. It starts when a command needs it; `devs up` keeps it running.'];
  const stays = status.keeps === 'until-down' ? 'stays until `devs down`' : 'ends when nothing is left to supervise';
  return [
    `The supervisor has been running for ${describeSpan(clock.now() - status.startedAt)} (process ${status.pid}), and ${stays}.`,
    ...(status.version === version ? [] : [`It is devs ${status.version}; this is ${version}.`]),
    ...(status.runs.length === 0
      ? ['It holds no run. Start one with `devs run "What to do"`.']
      : status.runs.map(({ id, state, folder, waits }) => visible(`${id}  ${state}  ${folder}${why(waits)}`))),
    ...status.terminals.map(({ name, folder, waits }) => visible(`${name}  terminal  ${folder}${why(waits)}`)),
    ...status.problems.map((problem) => visible(`Note: ${problem}.`)),
  ];
}

const why = (waits: string | undefined): string => (waits === undefined ? '' : `  ${waits}`);
