import {
  compareKnowledge,
  type HandoffBudget,
  type HandoffDocument,
  type HandoffEvidence,
  type HandoffGap,
  type MinimalState,
  prepareHandoff,
  renderHandoff,
  smallestBudget,
  verifyHandoff,
  verifyHandoffText,
} from '@devs/core';
import { PROGRAM_AGENTS } from '@devs/drivers/agents';
import { Argument, Command, Option } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption, wholeNumber } from '../program/options.js';
import type { Console } from '../screen/console.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { chooseStore } from '../store-access/choose-store.js';
import type { StoreServices } from '../store-access/with-store.js';
import { count, grouped } from '../words.js';
import type { Conversations, Surroundings } from './conversations.js';
import { describeFault } from './describe-faults.js';
import { renderComparison } from './render-comparison.js';
import { startCommand } from './start-command.js';

const MORE_HELP = `
The document is all that is printed. Nothing is sent to a model, and nothing is
changed; only --to writes: a file under .devs/handoffs/ for you alone. With git
in the folder of the conversation, the document says what is uncommitted;
with tasks in the queue of this project, what is blocked.

--check says what a handoff must tell and does not: the last request, open
tasks, files that git reports as changed, errors that stand, claims without
proof. With a file, the same for a handoff of any author.

Examples:
  devs handoff
  devs handoff --budget-tokens 4000 > handoff.md
  devs handoff --transcript conversation.jsonl --json
  devs handoff --check notes.md
  sh -c "$(devs handoff --to claude)"

Exit codes: 0 done, 1 failed, or --check found something, 2 wrong usage.`;

interface BuildOptions {
  readonly transcript?: string;
  readonly agent?: string;
  readonly repo?: string;
  readonly budgetChars?: number;
  readonly budgetTokens?: number;
  readonly check?: string | true;
  readonly diff?: boolean;
  readonly to?: string;
  readonly json?: boolean;
}

/** About three thousand tokens: a few per cent of any agent's context. */
const DEFAULT_CHARS = 12_000;
/** Below it there is no room for the last request. */
const SMALLEST_CHARS = 1_000;
const SMALLEST_TOKENS = 300;

/** What the command uses of the world. */
export interface HandoffServices extends Pick<Console, 'print' | 'warn' | 'screen' | 'readText'>, StoreServices {
  readonly conversations: Conversations;
}

export function handoffCommand(services: HandoffServices, done: (exitCode: number) => void): Command {
  return new Command('handoff')
    .description('Print what the newest conversation here leaves to the next one')
    .addArgument(new Argument('[build]', '(optional)').choices(['build']))
    .option('--transcript <file>', 'the transcript to read; default: the newest conversation of this folder')
    .option('--agent <agent>', 'whose conversation: claude, codex, gemini or opencode')
    .option('--repo <folder>', 'the folder that the agent worked in; default: that of the conversation, or this one')
    .addOption(budgetOption('--budget-chars <number>', SMALLEST_CHARS, 'the most characters; default: 12000'))
    .addOption(
      budgetOption('--budget-tokens <number>', SMALLEST_TOKENS, 'the most tokens, as estimated').conflicts(
        'budgetChars',
      ),
    )
    .addOption(
      new Option('--check [file]', 'list what is missing in the handoff, or in a given text').conflicts(['diff', 'to']),
    )
    .addOption(new Option('--diff', 'say what the next conversation will not know').conflicts('to'))
    .addOption(
      new Option('--to <agent>', 'print the command that starts a fresh agent with it').choices(PROGRAM_AGENTS),
    )
    .addOption(jsonOption('print everything that is known, with where it comes from, as one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (_build: string | undefined, options: BuildOptions) => {
      const made = await make(options, services);
      done(await tell(made, options, services));
    });
}

const budgetOption = (flags: string, from: number, description: string) =>
  new Option(flags, description).argParser(wholeNumber({ from }));

interface Made {
  readonly document: HandoffDocument;
  readonly evidence: HandoffEvidence;
  readonly budget: HandoffBudget;
  readonly surroundings: Surroundings;
}

async function make(options: BuildOptions, services: HandoffServices): Promise<Made> {
  const { transcript, agent, repo } = options;
  const wanted = { transcript, agent, folder: repo };
  const opened = await services.conversations.open(wanted);
  const surroundings = await services.conversations.look(opened, wanted);
  for (const warning of opened.warnings) services.warn(visible(`devs: ${opened.path}: ${warning}`));
  for (const warning of surroundings.warnings) services.warn(visible(`devs: ${warning}`));
  const { git, earlier } = surroundings;
  const evidence = { ledger: opened.ledger, git };
  const { path, resumeCommand } = opened;
  const blocked = repo === undefined ? await blockedIn(services) : [];
  const { document } = prepareHandoff(evidence, { transcript: path, resumeCommand, earlier, blocked });
  return { document, evidence, budget: budgetOf(options, document), surroundings };
}

/** Blocked tasks of this project's queue. Empty if its store cannot be opened. */
async function blockedIn(services: HandoffServices): Promise<NonNullable<MinimalState['blocked_tasks']>> {
  try {
    const backend = await services.records.open(chooseStore({}, services), 'existing');
    if (backend === undefined) return [];
    const { readBlockers } = await import('./read-blockers.js'); // most projects have no queue
    return await readBlockers(backend, services);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    services.warn(visible(`devs: without the blockers of the queue: ${error.message}`));
    return [];
  }
}

/** Where none is named: the usual one, or as much as what is required takes. */
function budgetOf({ budgetChars, budgetTokens }: BuildOptions, document: HandoffDocument): HandoffBudget {
  if (budgetTokens !== undefined) return { tokens: budgetTokens };
  return { chars: budgetChars ?? Math.max(DEFAULT_CHARS, smallestBudget(document)) };
}

async function tell(made: Made, options: BuildOptions, services: HandoffServices): Promise<number> {
  if (options.check !== undefined) return check(made, options, services);
  if (options.diff) return diff(made, options, services);
  if (options.to !== undefined) return start(made, options.to, options, services);
  const { document, budget } = made;
  if (outputMode(options) === 'json') {
    services.print(toJson(document));
    return 0;
  }
  warnOfSmallBudget(made, services);
  services.print(renderHandoff(document, budget));
  return 0;
}

/** From the smallest budget on nothing is missing, so only below it is there anything to look for. */
function warnOfSmallBudget({ document, evidence, budget }: Made, services: HandoffServices): void {
  const isEnough =
    'chars' in budget ? budget.chars >= smallestBudget(document) : budget.tokens >= smallestBudget(document, 'tokens');
  const faults = isEnough ? [] : verifyHandoff(document, evidence, budget);
  if (faults.length === 0) return;
  services.warn(
    `devs: ${count(faults.length, 'thing')} that must be told ${faults.length === 1 ? 'has' : 'have'} no room in this budget: ${enough(document, budget)}. --check lists them.`,
  );
}

const enough = (document: HandoffDocument, budget: HandoffBudget): string => {
  const unit = 'chars' in budget ? 'chars' : 'tokens';
  return `--budget-${unit} ${smallestBudget(document, unit)} is enough`;
};

async function check(made: Made, options: BuildOptions, services: HandoffServices): Promise<number> {
  const { document, evidence, budget } = made;
  const file = options.check === true ? undefined : options.check;
  const isBounded = options.budgetChars !== undefined || options.budgetTokens !== undefined;
  const faults =
    file === undefined
      ? verifyHandoff(document, evidence, budget)
      : verifyHandoffText(
          await services.readText(file === '-' ? undefined : file),
          evidence,
          isBounded ? budget : undefined,
        );
  const report = { complete: faults.length === 0, faults, smallestBudget: smallestBudget(document) };
  services.print(outputMode(options) === 'json' ? toJson(report) : describeCheck(faults, made, file).join('\n'));
  return faults.length === 0 ? 0 : 1;
}

function describeCheck(faults: readonly HandoffGap[], { document, budget }: Made, file: string | undefined): string[] {
  const name = file === undefined ? 'The handoff' : `"${visible(file)}"`;
  if (faults.length === 0) return [`${name} is complete.`];
  return [
    `${name} does not pass:`,
    ...faults.map((fault) => `  ${fault.kind === 'missing' ? 'missing: ' : ''}${describeFault(fault)}`),
    ...(file === undefined
      ? [`All of it has room from ${grouped(smallestBudget(document))} characters on: ${enough(document, budget)}.`]
      : []),
  ];
}

function diff({ document, evidence, budget }: Made, options: BuildOptions, services: HandoffServices): number {
  const comparison = compareKnowledge(evidence.ledger, renderHandoff(document, budget));
  const asText = () => renderComparison(comparison, services.screen).join('\n');
  services.print(outputMode(options) === 'json' ? toJson(comparison) : asText());
  return 0;
}

async function start(made: Made, agent: string, options: BuildOptions, services: HandoffServices): Promise<number> {
  const { document, budget, surroundings } = made;
  const { folder } = surroundings;
  if (folder === undefined)
    throw new CliError('the folder of this conversation is not here. Say with --repo where the next one takes place.');
  warnOfSmallBudget(made, services);
  const kept = await services.conversations.keep({ folder, document, text: renderHandoff(document, budget) });
  const command = startCommand(agent, kept);
  services.print(outputMode(options) === 'json' ? toJson({ command, ...kept }) : command);
  return 0;
}
