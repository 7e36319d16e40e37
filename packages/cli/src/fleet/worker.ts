import type { SettingsLayer } from '@devs/core';
import { Command } from 'commander';
import { agentOption, setOption, valueLayer } from '../config/setting-flags.js';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { resolveRun } from '../run/resolve-run.js';
import { runQueue } from '../run/run-queue.js';
import type { RunServices } from '../run/run-services.js';
import { outputMode } from '../screen/output-mode.js';
import type { StoreOptions } from '../store-access/with-store.js';

const MORE_HELP = `
Takes the tasks of the queue, each in its own run, and waits for further ones.
Machines that share a store in Redis share the work: start one on each. The
first Ctrl-C begins no more tasks and finishes those at work; the second stops
at once, and another machine continues.

Examples:
  devs worker --store redis://redis.example:6379 --slots 2
  devs worker --labels gpu,mac
  devs worker --once

See also: devs machines, devs task add --needs gpu`;

interface WorkerOptions extends StoreOptions {
  readonly slots?: number;
  readonly labels?: readonly string[];
  readonly agent?: string;
  readonly once?: boolean;
  readonly workflow?: string;
  readonly merge?: boolean;
  readonly provider?: string;
  readonly scenario?: string;
  readonly set?: readonly SettingsLayer[];
  readonly json?: boolean;
}

/** Serves the queue as a machine of the fleet. */
export function workerCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('worker')
    .description('Serve the queue until Ctrl-C, also together with other machines')
    .option(
      '--slots <number>',
      'number of tasks at a time; default: the setting parallel',
      wholeNumber({ from: 1, to: 64 }),
    )
    .option(
      '--labels <labels>',
      'what this machine has, such as gpu,mac; default: the setting fleet.labels',
      splitLabels,
    )
    .addOption(agentOption())
    .option('--once', 'end when there is nothing left to begin')
    .option('--workflow <workflow>', 'by its name or file; default: what the settings say')
    .option('--merge', 'bring the work to your branch when the checks pass')
    .option('--provider <provider>', 'of the built-in agent: anthropic, openai or scripted')
    .option('--scenario <file>', 'the answers of the scripted model')
    .addOption(setOption())
    .addOption(storeOption())
    .addOption(jsonOption('print each event as one line of JSON'))
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<WorkerOptions>();
      const mode = outputMode(options);
      const merge = options.merge === true;
      const named = options.workflow === undefined ? {} : { named: options.workflow };
      const asked = { words: [], ...named, flags: layersOf(options), merge, isQueue: true };
      const { request: _, from, ...resolved } = await resolveRun(asked, services);
      const serves = options.once !== true;
      const { settings, agent } = resolved;
      if (mode === 'text') services.print(describe(settings.parallel, [...settings.fleet.labels, agent], serves));
      const order = { ...resolved, merge, ...(serves ? { serves } : {}) };
      done(await runQueue({ order, ...(from === undefined ? {} : { from }), mode, options }, services));
    });
}

const describe = (slots: number, labels: readonly string[], serves: boolean): string =>
  `Works on ${slots === 1 ? 'one task' : `${slots} tasks`} at a time, with ${labels.join(', ')}${serves ? '; Ctrl-C ends it' : ''}.`;

const splitLabels = (text: string): readonly string[] =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');

/** Flags as settings: they override files. */
function layersOf({ slots, labels, agent, provider, scenario, set }: WorkerOptions): readonly SettingsLayer[] {
  const said = (flag: string, key: string, value: string | number | readonly string[] | undefined) =>
    value === undefined ? [] : [valueLayer(`--${flag}`, key, value)];
  return [
    ...said('slots', 'parallel', slots),
    ...said('labels', 'fleet.labels', labels),
    ...said('agent', 'agent', agent),
    ...said('provider', 'model.provider', provider),
    ...said('scenario', 'model.scenario', scenario),
    ...(set ?? []),
  ];
}
