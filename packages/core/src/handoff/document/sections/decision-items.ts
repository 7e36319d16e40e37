import type { Ledger } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { quoted, sentencesIn } from '../wording.js';

/** What was settled, and why: the user's answers, the plan, and what the agent gave reasons for. The newest first. */
export function decisionItems({ answers, notes, plan }: Ledger): readonly HandoffItem[] {
  return [
    ...(plan === undefined ? [] : [planItem(plan)]),
    ...[...answers].reverse().map(
      ({ text, from }, age): HandoffItem => ({
        form: 'line',
        text: `Asked by the agent: ${quoted(text.replace(BOILERPLATE, ''), 300)}`,
        from: [from],
        worth: 6 / (1 + age / 4),
      }),
    ),
    ...[...notes].reverse().flatMap(({ text, from }, age) =>
      sentencesIn(text)
        .filter((sentence) => REASON.test(sentence))
        .slice(0, 2)
        .map(
          (sentence): HandoffItem => ({
            form: 'line',
            text: `The agent reasoned: ${quoted(sentence, 280)}`,
            from: [from],
            worth: 5 / (1 + age / 5),
          }),
        ),
    ),
  ];
}

const planItem = ({ text, from }: NonNullable<Ledger['plan']>): HandoffItem => ({
  form: 'quote',
  text,
  label: "The agent's plan, as it put it to the user:",
  from: [from],
  worth: 12,
  share: 0.12,
});

const REASON =
  /\b(?:because|instead of|rather than|decided|chose|so that|otherwise|since (?:the|we|it)|root cause|turns out|the (?:issue|problem|bug) (?:is|was))\b/i;
const BOILERPLATE = /^User has answered your questions: |\. You can now continue with the user's answers in mind\.?$/g;
