import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { jsonOption, NAME } from '../program/options.js';
import { textOrStdin } from '../program/text-or-stdin.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { describeSending } from './describe-sending.js';
import type { TerminalServices } from './terminal-services.js';

const MORE_HELP = `
Typed as a prompt, when the agent is ready for one. It never goes into a dialog,
nor over what you have typed there yourself, and it counts as delivered when the
agent's own records show it.

Examples:
  devs send shop "Run the tests again"
  devs send shop --wait "Fix the failing test"
  git diff | devs send shop -

Exit codes: 0 delivered, 1 not delivered or not confirmed, or with --wait it
waits for you, 2 wrong usage.`;

export function sendCommand(services: TerminalServices, done: (exitCode: number) => void): Command {
  return new Command('send')
    .description('Give an agent a prompt, and see it arrive')
    .argument(...NAME)
    .argument('<text...>', 'the prompt, or - for what comes in on stdin')
    .option('--wait', 'stay until the agent is done with it')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string, words: readonly string[], options: { json?: boolean; wait?: boolean }) => {
      const text = (await textOrStdin(words.join(' '), services)) ?? '';
      if (text.trim() === '') throw new UsageError('there is nothing to send. Give a text.');
      const { name, outcome } = await services.terminals.send(wanted, text);
      const isDelivered = outcome.kind === 'delivered';
      const after = options.wait === true && isDelivered ? await untilDone(name, services) : undefined;
      const facts = { name, ...outcome, ...(after === undefined ? {} : { after }) };
      services.print(outputMode(options) === 'json' ? toJson(facts) : describeSending(name, outcome));
      if (after !== undefined && outputMode(options) !== 'json') services.print(AFTER[after]);
      done(isDelivered && after !== 'waiting' ? 0 : 1);
    });
}

type After = 'idle' | 'waiting' | 'exited';

const AFTER: Record<After, string> = {
  idle: 'It is done with it, and idle.',
  waiting: 'It waits for you. Look with `devs attach`.',
  exited: 'It has ended.',
};

const LOOK_MS = 1_000;

/** Until the agent is at rest at two looks in a row: between two turns it is so for a moment. */
async function untilDone(name: string, { terminals, untilInterrupted }: TerminalServices): Promise<After | undefined> {
  return untilInterrupted(async (signal) => {
    for (let rested = 0; !signal.aborted; ) {
      await pause(LOOK_MS, undefined, { signal }).catch(() => {});
      const activity = (await terminals.list()).find((terminal) => terminal.name === name)?.activity ?? 'exited';
      if (activity === 'waiting' || activity === 'exited') return activity;
      rested = activity === 'idle' ? rested + 1 : 0;
      if (rested > 1) return 'idle';
    }
    return undefined;
  });
}
