import { cutAtEnd, cutInMiddle } from '../../../text/cut-text.js';
import { isCheck, isLooking, saysFailure } from '../../evidence/checks.js';
import { commandParts, coreOf, isOneOff, withoutComments } from '../../evidence/command-parts.js';
import type { Ledger, LedgerCommand } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, oneLine, times } from '../wording.js';

/**
 * Whether a command changes something outside this machine: a pull request, a comment, a release, a deployment. It
 * must not be run again as a check.
 */
const changesOutside = (command: string): boolean =>
  commandParts(command).some(({ words }) => OUTSIDE.test(words.join(' ')));

const PROGRAMS: readonly RegExp[] = [
  /^gh api\b(?!.* graphql\b(?!.*mutation)).* (?:-f|-F|--field|--raw-field|--input|-X ?(?:POST|PUT|PATCH|DELETE)|--method[ =](?:POST|PUT|PATCH|DELETE))\b/,
  /^gh (?:pr|issue|release|repo|gist|workflow|run|label|secret|variable) (?:create|comment|edit|merge|close|reopen|review|delete|ready|run|rerun|upload|set|cancel)\b/,
  /^glab (?:mr|issue|release|ci) (?:create|note|update|merge|close|reopen|approve|delete|run)\b/,
  /^(?:curl|http|https|xh)\b.* (?:-X ?(?:POST|PUT|PATCH|DELETE)|--request[ =](?:POST|PUT|PATCH|DELETE)|-d|--data\S*|--json|-F|--form|-T|POST|PUT|PATCH|DELETE)\b/,
  /^(?:npm|pnpm|yarn|bun|cargo|poetry|uv|twine|gem|mvn|dotnet nuget) (?:publish|push|upload|deploy|unpublish|deprecate)\b/,
  /^(?:docker|podman)(?: compose| image)? push\b/,
  /^git (?:-C \S+ )?push\b/,
  /^kubectl\b.* (?:apply|create|delete|set|patch|scale|rollout (?:restart|undo)|edit|replace)\b/,
  /^(?:terraform|tofu|pulumi) (?:apply|destroy|up|import)\b/,
  /^helm (?:install|upgrade|uninstall|rollback)\b/,
  /^(?:vercel|netlify|fly|flyctl|wrangler|firebase|railway|heroku|serverless|sls)\b.*\b(?:deploy|publish|release|scale|secrets? (?:set|put))\b/,
  /^(?:aws|gcloud|az)\b.* (?:create|delete|put|update|deploy|start|stop|terminate|cp|sync|rm|mv)\S*\b/,
  /^(?:scp|rsync|ssh)\b.*\S+[@:]\S*/,
];

/** One expression: hundreds of commands are asked. */
const OUTSIDE = new RegExp(PROGRAMS.map(({ source }) => source).join('|'));

/**
 * Commands that ran well the last time and may be run again, with what they said. Checks are worth most: they tell when the
 * work is done. What only looks says nothing about the work, and what changes the world outside must not be run again.
 */
export function commandItems({ commands }: Ledger): readonly HandoffItem[] {
  return newestOfEach([...commands.values()].reverse())
    .filter((command) => wentWell(command) || command.outcome === 'running')
    .filter((one) => !isOneOff(one.command) && !isLooking(one) && !changesOutside(one.command))
    .map((command, age) => itemOf(command, (isCheck(command) ? 6 : 2) / (1 + age / 8)));
}

/** What was done outside this machine, each once, with what came of it. */
export function doneItems({ commands }: Ledger): readonly HandoffItem[] {
  return newestOfEach([...commands.values()].reverse())
    .filter((command) => wentWell(command) && changesOutside(command.command))
    .map((command, age) => itemOf(command, age === 0 ? LAST_DONE : 7 / (1 + age / 4)));
}

/** The last thing that was done outside says how far the work has come. */
const LAST_DONE = 25;

const wentWell = (command: LedgerCommand): boolean => command.outcome === 'ok' && !saysFailure(command);

/** Several lines stay several lines: in one, they would be another command. */
function itemOf(command: LedgerCommand, worth: number): HandoffItem {
  const shown = withoutComments(command.command);
  const common = { from: [command.from], worth };
  if (!shown.includes('\n') || shown.includes('<<'))
    return { form: 'line', text: code(shortCommand(shown)), detail: describe(command), ...common };
  return {
    form: 'quote',
    text: cutInMiddle(shown, MAX_SCRIPT_LENGTH),
    label: `Lines that${describe(command)}:`,
    ...common,
  };
}

const MAX_SCRIPT_LENGTH = 400;

/** However much of their output is looked at. */
function newestOfEach(commands: readonly LedgerCommand[]): readonly LedgerCommand[] {
  const byCore = new Map<string, LedgerCommand>();
  for (const command of commands) {
    const core = `${command.folder ?? ''} ${coreOf(withoutComments(command.command))}`;
    const newer = byCore.get(core);
    byCore.set(core, newer === undefined ? command : { ...newer, runs: newer.runs + command.runs });
  }
  return [...byCore.values()];
}

function describe(command: LedgerCommand): string {
  const { purpose, result, folder } = command;
  const why = purpose === undefined || purpose === '' ? '' : ` (${oneLine(purpose)})`;
  const where = folder === undefined ? '' : ` in ${code(folder)}`;
  const last = result.split('\n').at(-1) ?? '';
  const said = last === '' ? '' : `: ${code(cutAtEnd(last, 120))}`;
  return `${why} ${ending(command)}${where}${said}`;
}

function ending(command: LedgerCommand): string {
  if (command.outcome === 'running') return 'was started in the background';
  return `ran ${times(command.runs)}, ${command.runs === 1 ? 'ok' : 'the last time ok'}`;
}

/** In one line, cut where it is long: of several lines, or of a text that goes into a command, the first line says what it is. */
export function shortCommand(command: string): string {
  const [first = '', ...rest] = withoutComments(command).split('\n');
  const line = rest.length === 0 ? first : `${first} […]`;
  return cutAtEnd(oneLine(line), MAX_LINE_LENGTH);
}

const MAX_LINE_LENGTH = 240;
