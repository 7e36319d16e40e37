import type { Screen } from '@devs/cli/screen/screen';
import { renderIntro } from './render-intro.js';
import { renderReport } from './render-report.js';
import { renderTurn } from './render-turn.js';
import type { Report } from './show-event.js';
import { foldAccounts, type TurnAccount } from './turn-account.js';

/** Tells the show to people: every turn when it is over, and a report at the end. */
export function createAccountReporter(print: (text: string) => void, screen: Screen): Report {
  let accounts: readonly TurnAccount[] = [];
  const printLines = (lines: readonly string[]) => print(lines.join('\n'));
  return (event) => {
    accounts = foldAccounts(accounts, event);
    if (event.type === 'show.started') printLines(renderIntro(event, screen));
    if (event.type === 'turn.checked') printLines(accounts.slice(-1).flatMap((account) => renderTurn(account, screen)));
    if (event.type === 'show.completed') printLines(renderReport(accounts, event, screen));
  };
}
