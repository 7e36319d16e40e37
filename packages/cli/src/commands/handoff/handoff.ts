import { buildHandoff, type HandoffBudget, renderHandoff } from '@devs/core';
import { Argument, Command, Option } from 'commander';
import type { Services } from '../../compose.js';
import { outputMode } from '../../output-mode.js';
import { toJson } from '../../screen/to-json.js';
import { visible } from '../../screen/visible.js';
import { jsonOption, wholeNumber } from '../options.js';

const MORE_HELP = `
The document is all that is printed. Nothing is sent to a model, and nothing is
changed. A transcript that is named is taken for one of Claude Code, unless
--agent says otherwise.

Examples:
  devs handoff
  devs handoff --budget-tokens 4000 > handoff.md
  devs handoff --transcript conversation.jsonl --json`;

interface BuildOptions {
  readonly transcript?: string;
  readonly agent?: string;
  readonly repo?: string;
  readonly budgetChars?: number;
  readonly budgetTokens?: number;
  readonly json?: boolean;
}

/** About three thousand tokens: a few per cent of any agent's context. */
const DEFAULT_BUDGET: HandoffBudget = { chars: 12_000 };
/** Below it there is no room for the last request. */
const SMALLEST_CHARS = 1_000;
const SMALLEST_TOKENS = 300;

export function handoffCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('handoff')
    .description('Print what the newest conversation here leaves to the next one')
    .addArgument(new Argument('[build]', 'may be said or left out').choices(['build']))
    .option('--transcript <file>', 'the transcript to read; default: the newest conversation of this folder')
    .option('--agent <agent>', 'whose conversation: claude, codex, gemini or opencode')
    .option('--repo <folder>', 'the folder that the agent worked in; default: this one')
    .addOption(budgetOption('--budget-chars <number>', SMALLEST_CHARS, 'the most characters; default: 12000'))
    .addOption(
      budgetOption('--budget-tokens <number>', SMALLEST_TOKENS, 'the most tokens, as estimated').conflicts(
        'budgetChars',
      ),
    )
    .addOption(jsonOption('print everything that is known, with where it comes from, as one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (_build: string | undefined, options: BuildOptions) => {
      const { transcript, agent, repo } = options;
      const opened = await services.conversations.open({ transcript, agent, folder: repo });
      for (const warning of opened.warnings) services.complain(visible(`devs: ${opened.path}: ${warning}`));
      const document = buildHandoff(opened.ledger, { transcript: opened.path, resumeCommand: opened.resumeCommand });
      const asText = () => renderHandoff(document, budgetOf(options));
      services.print(outputMode(options) === 'json' ? toJson(document) : asText());
      done(0);
    });
}

const budgetOption = (flags: string, from: number, description: string) =>
  new Option(flags, description).argParser(wholeNumber({ from }));

function budgetOf({ budgetChars, budgetTokens }: BuildOptions): HandoffBudget {
  if (budgetTokens !== undefined) return { tokens: budgetTokens };
  return budgetChars === undefined ? DEFAULT_BUDGET : { chars: budgetChars };
}
