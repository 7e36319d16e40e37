import type { Ledger } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { LABELS } from '../labels.js';
import { quoted, sentencesIn } from '../wording.js';
import { isInHand } from './request-items.js';

/** What was settled, and why: the user's answers, the plan, and what the agent gave reasons for. The newest first. */
export function decisionItems(ledger: Ledger): readonly HandoffItem[] {
  const { answers, notes, plan } = ledger;
  return [
    ...(plan === undefined || plan.isApproved || isInHand(ledger) ? [] : [planItem(plan)]),
    ...[...answers].reverse().flatMap(({ question, text, from }, age) =>
      answeredIn(question, text).map(
        (words): HandoffItem => ({
          form: 'line',
          text: words,
          label: LABELS.answers,
          from: [from],
          worth: 6 / (1 + age / 4),
        }),
      ),
    ),
    ...[...notes].reverse().flatMap(({ text, from }, age) =>
      sentencesIn(text)
        .filter((sentence) => REASON.test(sentence))
        .slice(0, 2)
        .map(
          (sentence): HandoffItem => ({
            form: 'line',
            text: quoted(sentence.replace(/[:*\s]+$/, ''), 280),
            label: LABELS.reasons,
            from: [from],
            worth: 5 / (1 + age / 5),
          }),
        ),
    ),
  ];
}

/** An answer says nothing without its question; but it is the answer that counts, and it is not cut for the question. */
function answeredIn(question: string, text: string): readonly string[] {
  const own = text.replace(BOILERPLATE, '');
  const pairs = [...own.matchAll(ANSWERED)].map(([, asked = '', answer = '']) => ({ asked, answer }));
  if (pairs.length === 0) return [`${question === '' ? '' : `Asked ${quoted(question, 120)}: `}${quoted(own, 500)}`];
  return pairs.map(({ asked, answer }) => `Asked ${quoted(asked, 120)}: ${quoted(answer, 500)}`);
}

/** `"question"="answer"`, one behind the other, as Claude Code puts them. */
const ANSWERED = /"([^"]*(?:"(?!=")[^"]*)*)"="([\s\S]*?)"(?=, "|\.?\s*$| user notes:| selected markdown:)/g;

const planItem = ({ text, from }: NonNullable<Ledger['plan']>): HandoffItem => ({
  form: 'quote',
  text,
  label: LABELS.plan,
  from: [from],
  worth: 12,
  share: 0.12,
});

const REASON =
  /\b(?:because|instead of|rather than|decided|chose|so that|otherwise|since (?:the|we|it)|root cause|turns out|the (?:issue|problem|bug) (?:is|was))\b/i;
const BOILERPLATE = /^User has answered your questions: |\. You can now continue with the user's answers in mind\.?$/g;
