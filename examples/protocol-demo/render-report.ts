import { fitStart } from '@devs/cli/screen/columns';
import type { Screen } from '@devs/cli/screen/screen';
import { wrapWords } from '@devs/cli/screen/wrap';
import { count, grouped } from '@devs/cli/words';
import { describeCost } from './describe-cost.js';
import { costOf, type Path, pathOf, type Totals } from './totals.js';
import type { TurnAccount } from './turn-account.js';

const PATH_COLUMNS = 11;
const NUMBER_COLUMNS = 8;

const TRY_NEXT = [
  ['npx devs debug protocol --json', 'the same as JSON, an event on each line'],
  ['npx devs debug detect FILE', 'examine an answer of your own model'],
  [`echo '{"plan": ["read", "wr' | npx devs debug detect`, ''],
  ['npx devs --help', 'everything that works today'],
] as const;

interface Result {
  readonly totals: Totals;
  readonly problems: readonly string[];
}

/** What all turns came to, and where to go from here. */
export function renderReport(accounts: readonly TurnAccount[], { totals, problems }: Result, screen: Screen): string[] {
  const { columns, palette } = screen;
  return [
    palette.title('── Report '.padEnd(columns, '─')),
    palette.quiet(tableRow(['turn', 'came out', 'calls', 'tokens', 'what the model did'])),
    ...accounts.map((account) => paintOf(pathOf(account), screen)(rowOf(account, columns))),
    '',
    ...wrapWords(summaryOf(totals), columns - 2).map((line) => `  ${line}`),
    ...wrapWords(checkOf(problems), columns - 2).map(
      (line) => `  ${(problems.length === 0 ? palette.good : palette.bad)(line)}`,
    ),
    '',
    palette.title('Try next'),
    ...TRY_NEXT.map(([command, what]) => `  ${command.padEnd(32)} ${palette.quiet(what)}`.trimEnd()),
  ];
}

function rowOf(account: TurnAccount, columns: number): string {
  const { calls, inputTokens, outputTokens } = costOf(account);
  const tokens = grouped(inputTokens + outputTokens);
  return fitStart(tableRow([String(account.turn), pathOf(account), String(calls), tokens, account.title]), columns);
}

const tableRow = ([turn, path, calls, tokens, title]: readonly [string, string, string, string, string]) =>
  `  ${turn.padStart(4)}  ${path.padEnd(PATH_COLUMNS)}${calls.padStart(5)}${tokens.padStart(NUMBER_COLUMNS)}  ${title}`;

function paintOf(path: Path, { palette }: Screen): (text: string) => string {
  if (path === 'straight') return (text) => text;
  return path === 'resumed' || path === 'corrected' ? palette.good : palette.bad;
}

function summaryOf(totals: Totals): string {
  const { turns, straight, resumed, corrected, escalated, reinjectedOn } = totals;
  return [
    `${count(turns, 'turn')}: ${straight} straight, ${resumed} resumed, ${corrected} corrected, ${escalated} escalated`,
    `to you; ${describeCost(totals)}.`,
    ...(reinjectedOn.length > 0 ? [`The agent was reminded of the specs on turn ${reinjectedOn.join(', ')}.`] : []),
  ].join(' ');
}

const checkOf = (problems: readonly string[]) =>
  problems.length === 0
    ? 'Checked: every answer that came out equals what the model meant to say.'
    : `Checked, and wrong: ${problems.join('; ')}.`;
