import { excerpt } from '@devs/cli/screen/excerpt';
import { bodyColumns, labelled } from '@devs/cli/screen/labelled';
import type { Screen } from '@devs/cli/screen/screen';
import { visible } from '@devs/cli/screen/visible';
import { breakAnywhere, wrapWords } from '@devs/cli/screen/wrap';
import { count } from '@devs/cli/words';
import { describeExchange, wasCutOff } from './describe-exchange.js';
import { renderEnding } from './render-ending.js';
import type { Exchange, TurnAccount } from './turn-account.js';

const CUT_MARK = '▌';

/** How much of a text is shown. The first answer of all shows what an envelope is. */
const PROMPT_LINES = 3;
const ANSWER_LINES = 2;
const FIRST_ANSWER_LINES = 5;

/** The account of one turn as lines for people. */
export function renderTurn(account: TurnAccount, screen: Screen): string[] {
  const title = `── Turn ${account.turn} · ${account.title} `;
  const answerLines = account.turn === 1 ? FIRST_ANSWER_LINES : ANSWER_LINES;
  return [
    screen.palette.title(title.padEnd(screen.columns, '─')),
    ...account.exchanges.flatMap((exchange, index) => [
      // The first prompt is a sentence; the questions that follow are mostly data.
      ...renderPrompt(exchange.prompt, index === 0 ? wrapWords : breakAnywhere, screen),
      ...renderAnswer(exchange, answerLines, screen),
      ...renderNotices(exchange, screen),
    ]),
    ...renderEnding(account, screen),
    '',
  ];
}

function renderPrompt(prompt: string, breakLines: typeof wrapWords, { columns, palette }: Screen): string[] {
  const body = bodyColumns(columns);
  return labelled('devs asks', breakLines(excerpt(prompt, body * PROMPT_LINES), body), palette.quiet);
}

function renderAnswer(exchange: Exchange, mostLines: number, { columns, palette }: Screen): string[] {
  const { answer } = exchange;
  if (answer === undefined) return labelled('model', [palette.bad('(did not answer)')], palette.quiet);
  const body = bodyColumns(columns);
  const isCut = wasCutOff(exchange);
  const lines = breakAnywhere(excerpt(answer.text, body * mostLines - 1), body).map(palette.model);
  const mark = isCut ? palette.bad(CUT_MARK) : '';
  const size = `${isCut ? 'cut off after' : 'all of'} ${count(answer.text.length, 'character')}`;
  const reason = answer.stopReason === undefined ? 'no stop reason given' : `stop reason ${visible(answer.stopReason)}`;
  return labelled(
    'model',
    [...lines.slice(0, -1), `${lines.at(-1)}${mark}`, palette.quiet(`(${size}, ${reason})`)],
    palette.quiet,
  );
}

function renderNotices(exchange: Exchange, { columns, palette }: Screen): string[] {
  const lines = describeExchange(exchange).flatMap((sentence) => wrapWords(sentence, bodyColumns(columns)));
  return labelled('devs sees', lines.map(palette.devs), palette.quiet);
}
