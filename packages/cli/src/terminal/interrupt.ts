import type { InterruptOutcome } from '@devs/supervisor';
import { Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { jsonOption, NAME } from '../program/options.js';
import { textOrStdin } from '../program/text-or-stdin.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { describeSending } from './describe-sending.js';
import type { TerminalServices } from './terminal-services.js';

const MORE_HELP = `
Ends what the agent does now, with the command that it runs; the agent itself
and its conversation stay. It counts as seen when the agent's own record shows
it. With words, the agent gets them as its next prompt. A run continues with its
step afterwards: to pause it, use \`devs stop\`.

Examples:
  devs interrupt shop
  devs interrupt 3f9c "Leave the tests, and fix the build first"

Exit codes: 0 seen, or the agent did nothing, 1 not seen, or the words did not
arrive, 2 wrong usage.`;

export function interruptCommand(services: TerminalServices, done: (exitCode: number) => void): Command {
  return new Command('interrupt')
    .description('End the turn of an agent, and tell it what to do instead')
    .argument(...NAME)
    .argument('[text...]', 'what to do instead, or - for what comes in on stdin')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string, words: readonly string[], options: { json?: boolean }) => {
      const text = words.length === 0 ? undefined : await textOrStdin(words.join(' '), services);
      if (text?.trim() === '') throw new UsageError('there is nothing to send. Give a text, or none.');
      const { name, outcome } = await services.terminals.interrupt(wanted, text);
      services.print(
        outputMode(options) === 'json' ? toJson({ name, ...outcome }) : describe(name, outcome).join('\n'),
      );
      done(isDone(outcome) ? 0 : 1);
    });
}

const isDone = (outcome: InterruptOutcome): boolean =>
  outcome.kind !== 'not-seen' && (outcome.told === undefined || outcome.told.kind === 'delivered');

function describe(name: string, outcome: InterruptOutcome): readonly string[] {
  if (outcome.kind === 'not-seen')
    return [`Not seen that ${name} was interrupted: ${visible(outcome.why)}. Look with \`devs attach ${name}\`.`];
  const ended =
    outcome.kind === 'seen'
      ? `Interrupted ${name}: seen in its own record.`
      : `${name} did nothing: there was no turn to interrupt.`;
  return outcome.told === undefined ? [ended] : [ended, describeSending(name, outcome.told)];
}
