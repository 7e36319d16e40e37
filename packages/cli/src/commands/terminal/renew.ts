import type { RenewOutcome, UndoOutcome } from '@devs/supervisor';
import { Command } from 'commander';
import type { Services } from '../../compose.js';
import { outputMode } from '../../output-mode.js';
import { toJson } from '../../screen/to-json.js';
import { visible } from '../../screen/visible.js';
import { jsonOption } from '../options.js';
import { NAME } from './name-argument.js';

const MORE_HELP = `
The agent is replaced by a fresh one with the same options, which starts from a
handoff: what was asked for, decided, changed and is still open. Your files are
as they were; the old conversation is kept.

Examples:
  devs renew shop
  devs renew shop --undo

Exit codes: 0 done, 1 not, 2 wrong usage.`;

export function renewCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('renew')
    .description('Let a fresh agent go on from a handoff, when the context is full')
    .argument(...NAME)
    .option('--undo', 'go back to the conversation before the last renewal')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string, options: { undo?: boolean; json?: boolean }) => {
      const { terminals } = services;
      const { name, outcome } = options.undo ? await terminals.undoRenewal(wanted) : await terminals.renew(wanted);
      services.print(outputMode(options) === 'json' ? toJson({ name, ...outcome }) : visible(describe(name, outcome)));
      done(outcome.status === 'renewed' || outcome.status === 'undone' ? 0 : 1);
    });
}

function describe(name: string, outcome: RenewOutcome | UndoOutcome): string {
  switch (outcome.status) {
    case 'renewed':
      return `Renewed ${name}. Back to the conversation before: devs renew ${name} --undo`;
    case 'undone':
      return `${name} is back in conversation ${outcome.conversationId}.`;
    case 'refused':
      return `Not done, and ${name} goes on as it was: ${outcome.reason}.`;
    case 'abandoned':
      return `Given up, and ${name} goes on as it was.`;
    case 'failed':
      return `${name} could not be started anew: ${outcome.error}. Try \`devs resume ${name}\`.`;
  }
}
