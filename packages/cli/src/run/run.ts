import type { SettingsLayer } from '@devs/core';
import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../cli-error.js';
import { agentOption, setOption, valueLayer } from '../config/setting-flags.js';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { textOrStdin } from '../program/text-or-stdin.js';
import { outputMode } from '../screen/output-mode.js';
import type { StoreOptions } from '../store-access/with-store.js';
import { resolveRun } from './resolve-run.js';
import { resumeRun } from './resume-run.js';
import { runOne } from './run-one.js';
import { runQueue } from './run-queue.js';
import type { RunServices } from './run-services.js';

const MORE_HELP = `
An agent is led through the workflow until it is done, in a git worktree of its
own. Ctrl-C stops it, \`devs resume RUN\` continues, \`devs report\` says what
happened. Settings come from \`devs config\`; flags count for more.

Examples:
  devs run "Add a cart to the shop"
  devs run bugfix "The login page is blank" --agent claude --max-minutes 90
  devs run --queue --parallel 2
  devs run "Rename the module" --here --set checks='[[npm, test]]'

Exit codes: 0 done, 1 failed, paused or needs you, 2 wrong usage.`;

interface RunOptions extends StoreOptions {
  readonly workflow?: string;
  readonly agent?: string;
  readonly here?: boolean;
  readonly queue?: boolean;
  readonly parallel?: number;
  readonly merge?: boolean;
  readonly observe?: boolean;
  readonly resume?: string;
  readonly detach?: boolean;
  readonly model?: string;
  readonly provider?: string;
  readonly scenario?: string;
  readonly maxTokens?: number;
  readonly maxUsd?: number;
  readonly maxMinutes?: number;
  readonly set?: readonly SettingsLayer[];
  readonly json?: boolean;
}

export function runCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('run')
    .description('Take a workflow to its end, unattended')
    .argument('[request...]', 'request, optionally after a workflow; - reads stdin')
    .option('--workflow <workflow>', 'by its name or file; default: what the settings say')
    .addOption(agentOption())
    .option('--here', 'work in this folder instead of a separate worktree')
    .option('--queue', 'take the tasks of the queue, one after another')
    .option('--parallel <number>', 'number of concurrent tasks', wholeNumber({ from: 1, to: 64 }))
    .option('--merge', 'bring the work to your branch when the checks pass')
    .option('--observe', 'measure, and touch nothing')
    .option('--resume <run>', 'continue this run')
    .option('--detach', 'start it, and come back at once; `devs logs -f` follows it')
    .option('--model <name>', 'of the agent')
    .option('--provider <provider>', 'of the built-in agent: anthropic, openai or scripted')
    .option('--scenario <file>', 'the answers of the scripted model')
    .option('--max-tokens <number>', 'token limit', wholeNumber({ from: 1 }))
    .option('--max-usd <amount>', 'cost limit in USD, by the prices in budget.price', amount)
    .option('--max-minutes <number>', 'time limit', amount)
    .addOption(setOption())
    .addOption(storeOption())
    .addOption(jsonOption('print each event as one line of JSON'))
    .addHelpText('after', MORE_HELP)
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>();
      const mode = outputMode(options);
      const merge = options.merge === true;
      const detach = options.detach === true;
      const flags = layersOf(options);
      if (options.resume !== undefined) {
        if (words.length > 0 || options.queue)
          throw new UsageError('--resume continues a run as it was asked for: give no request and no --queue.');
        return done(await resumeRun(options.resume, { flags, mode, merge, detach, options }, services));
      }
      const given = words.length === 1 && words[0] === '-' ? [(await textOrStdin('-', services)) ?? ''] : words;
      const isQueue = options.queue === true;
      const named = options.workflow === undefined ? {} : { named: options.workflow };
      const resolved = await resolveRun({ words: given, ...named, flags, merge, isQueue }, services);
      const { request, workflow, plan, from, ...terms } = resolved;
      const manner = { ...(from === undefined ? {} : { from }), mode, detach, options };
      if (isQueue) return done(await runQueue({ ...manner, order: { ...terms, workflow, plan, merge } }, services));
      const subject = { ...workflow, plan: { ...plan, request } };
      done(await runOne({ ...manner, order: { ...terms, subject, merge } }, services));
    });
}

/** Flags as settings: they override files. */
function layersOf(options: RunOptions): readonly SettingsLayer[] {
  const said = (flag: string, key: string, value: string | number | boolean | undefined) =>
    value === undefined ? [] : [valueLayer(`--${flag}`, key, value)];
  return [
    ...said('agent', 'agent', options.agent),
    ...said('here', 'worktree', options.here ? 'here' : undefined),
    ...said('parallel', 'parallel', options.parallel),
    ...said('observe', 'observe', options.observe),
    ...said('model', 'model.name', options.model),
    ...said('provider', 'model.provider', options.provider),
    ...said('scenario', 'model.scenario', options.scenario),
    ...said('max-tokens', 'budget.tokens', options.maxTokens),
    ...said('max-usd', 'budget.usd', options.maxUsd),
    ...said('max-minutes', 'budget.minutes', options.maxMinutes),
    ...(options.set ?? []),
  ];
}

function amount(text: string): number {
  const value = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value <= 0) throw new InvalidArgumentError('Give a number above 0, such as 5 or 0.5.');
  return value;
}
