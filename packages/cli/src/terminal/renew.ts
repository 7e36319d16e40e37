import type { UndoOutcome } from '@devs/supervisor';
import { Command } from 'commander';
import { jsonOption, NAME } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { describeRenewal } from './describe-renewal.js';
import type { TerminalServices } from './terminal-services.js';

const MORE_HELP = `
The agent is replaced by a fresh one with the same options, which starts from a
handoff: what was asked for, decided, changed and is still open. Your files are
as they were; the old conversation is kept.

Examples:
  devs renew shop
  devs renew shop --undo

Exit codes: 0 done, 1 not, 2 wrong usage.`;

interface RenewOptions {
  readonly undo?: boolean;
  readonly dropDraft?: boolean;
  readonly json?: boolean;
}

export function renewCommand(services: TerminalServices, done: (exitCode: number) => void): Command {
  return new Command('renew')
    .description('Let a fresh agent continue from a handoff, when the context is full')
    .argument(...NAME)
    .option('--undo', 'go back to the conversation before the last renewal')
    .option('--drop-draft', 'also where something is typed that was not sent')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string, options: RenewOptions) => {
      const { terminals } = services;
      const print = (name: string, outcome: object, lines: readonly string[]) =>
        services.print(outputMode(options) === 'json' ? toJson({ name, ...outcome }) : lines.map(visible).join('\n'));
      if (options.undo === true) {
        const { name, outcome } = await terminals.undoRenewal(wanted);
        print(name, outcome, [describeUndo(name, outcome)]);
        return done(outcome.status === 'undone' ? 0 : 1);
      }
      const { name, outcome } = await terminals.renew(wanted, { dropsDraft: options.dropDraft === true });
      print(name, outcome, describeRenewal(outcome, { name }));
      done(outcome.status === 'renewed' ? 0 : 1);
    });
}

const describeUndo = (name: string, outcome: UndoOutcome): string => {
  switch (outcome.status) {
    case 'undone':
      return `${name} is back in conversation ${outcome.conversationId}.`;
    case 'refused':
      return `Not renewed; ${name} continues as it was: ${outcome.reason}.`;
    case 'failed':
      return `${name} could not be restarted: ${outcome.error}. Try \`devs resume ${name}\`.`;
  }
};
