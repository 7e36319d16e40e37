import { excerpt } from '@devs/cli/screen/excerpt';
import { bodyColumns, labelled } from '@devs/cli/screen/labelled';
import type { Screen } from '@devs/cli/screen/screen';
import { visible } from '@devs/cli/screen/visible';
import { wrapWords } from '@devs/cli/screen/wrap';
import { count } from '@devs/cli/words';
import type { SaopEnvelope } from '@devs/core';
import { describeCost } from './describe-cost.js';
import type { Ending } from './show-event.js';
import { costOf } from './totals.js';
import type { TurnAccount } from './turn-account.js';

const SHORT_VALUE_CHARS = 40;
const REMINDER_LINES = 3;

/** What came out of a turn: the action, or the question to the user; what it cost; whether it is right. */
export function renderEnding(account: TurnAccount, screen: Screen): string[] {
  const { ending, reinjected, problems } = account;
  if (ending === undefined) return [];
  const { palette } = screen;
  const body = bodyColumns(screen.columns);
  const beside = (label: string, text: string, paint: (line: string) => string) =>
    labelled(label, wrapWords(text, body).map(paint), palette.quiet);
  return [
    ...(reinjected && ending.state === 'COMPLETED'
      ? [
          ...beside('reminder', 'The specs are due again; their summaries now open the reasoning:', palette.devs),
          ...beside('', excerpt(ending.envelope.thought.reasoning, body * REMINDER_LINES), palette.model),
        ]
      : []),
    ...result(ending).flatMap(([label, text]) =>
      beside(label, text, ending.state === 'COMPLETED' ? palette.good : palette.bad),
    ),
    ...(ending.state === 'REJECTED' ? [] : beside('cost', describeCost(costOf(account)), palette.quiet)),
    ...problems.flatMap((problem) => beside('WRONG', problem, palette.bad)),
    ...(problems.length === 0 && ending.state === 'COMPLETED'
      ? beside('checked', 'equal, value for value, to what the model meant to say', palette.quiet)
      : []),
  ];
}

function result(ending: Ending): readonly (readonly [label: string, text: string])[] {
  switch (ending.state) {
    case 'COMPLETED':
      return [['action', describeAction(ending.envelope)]];
    case 'USER_ESCALATION':
      return [
        ['asks you', `${ending.state}, ${ending.diagnosis.reason}`],
        ['', visible(ending.diagnosis.summary)],
      ];
    case 'REJECTED':
      return [['error', visible(ending.error)]];
  }
}

/** `write_file(path: "src/cart.ts", content: 214 characters)` */
function describeAction({ action }: SaopEnvelope): string {
  const values = Object.entries(action.arguments).map(([name, value]) => `${name}: ${describeValue(value)}`);
  return visible(`${action.tool_name}(${values.join(', ')})`);
}

function describeValue(value: unknown): string {
  if (typeof value === 'string' && value.length > SHORT_VALUE_CHARS) return count(value.length, 'character');
  return Array.isArray(value) ? `a list of ${value.length}` : JSON.stringify(value);
}
