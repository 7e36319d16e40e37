import { redactText } from '@devs/core';
import { type Claim, partsBetweenCuts, quotedIn, squeezed } from './claims.js';
import type { Case, Verdict } from './judge.js';

/** What must be there: the last request, what it answers, and the plan that the user approved. */
export function missingParts({ document, seen }: Case): readonly Verdict[] {
  const held = squeezed(document);
  const holds = (text: string) => held.includes(squeezed(redactText(text)));
  const last = seen.requests.at(-1);
  const parts: Verdict[] = [];
  if (last !== undefined) {
    const fault = holds(last.text.trim().slice(0, 200)) ? undefined : 'is missing';
    parts.push({ kind: 'request', said: last.text.slice(0, 120), fault });
  }
  if (last?.after !== undefined && last.text.trim().length <= SHORT) {
    const fault = holds(last.after.trim().slice(-ENOUGH)) ? undefined : 'what the agent had said before is missing';
    parts.push({ kind: 'context of the request', said: last.text.slice(0, 120), fault });
  }
  if (seen.plan !== undefined && seen.plan.trim() !== '') {
    const fault = holds(seen.plan.trim().slice(0, 200)) ? undefined : 'is missing';
    parts.push({ kind: 'plan', said: seen.plan.slice(0, 120), fault });
  }
  return parts;
}

/** A request of this length may be no more than an answer. */
const SHORT = 400;
const ENOUGH = 100;

export function judgeRequest({ label, form, text }: Claim, { seen, squeezedText }: Case): readonly Verdict[] {
  if (form === 'quote' && label.startsWith('The last request')) {
    const last = seen.requests.at(-1)?.text ?? '';
    const fault = squeezed(redactText(last)).startsWith(squeezed(partsBetweenCuts(text)[0] ?? ''))
      ? undefined
      : 'is not the last request';
    return [{ kind: 'request', said: text.slice(0, 120), fault }];
  }
  return [wordsVerdict(form === 'quote' ? text : (quotedIn(text) ?? ''), squeezedText)];
}

/** An announcement that is the agent's, and that nothing after it fulfilled. */
export function judgeAnnouncement({ text }: Claim, { seen }: Case): readonly Verdict[] {
  const words = /^(?:The agent was about to|Announced before|Announced, and not done yet): “([\s\S]*)”$/.exec(
    text,
  )?.[1];
  if (words === undefined) return [];
  const [start = ''] = partsBetweenCuts(words).map(squeezed);
  const note = seen.notes.findLast((one) => squeezed(redactText(one.text)).includes(start));
  const fault =
    note === undefined
      ? 'nobody said it'
      : !ANNOUNCING.test(words)
        ? 'announces nothing'
        : seen.calls.some(({ at, isOwn, outcome }) => isOwn && at > note.at && outcome === 'ok')
          ? 'calls after it succeeded'
          : undefined;
  return [{ kind: 'announcement', said: words, fault }];
}

const ANNOUNCING =
  /\b(?:let me|let['’]s|I['’]ll|I will|I['’]m going to|I need to|now I|next|now (?:add|update|run|fix|task))\b/i;

export function judgeTask({ text }: Claim, { seen }: Case): readonly Verdict[] {
  const [, mark, title = ''] = /^\[([ x])\] ([\s\S]*?)(?: \(in progress\))?$/.exec(text) ?? [];
  if (mark === undefined) return [];
  const [start = ''] = partsBetweenCuts(title).map(squeezed);
  const same = [...seen.tasks.values()].filter((task) => squeezed(redactText(task.title)).startsWith(start));
  const isOpen = (status: string) => status === 'pending' || status === 'in_progress';
  const isSo = same.some(({ status }) => (mark === 'x' ? status === 'completed' : isOpen(status)));
  const fault = same.length === 0 ? 'was never a task' : isSo ? undefined : `is ${same.at(-1)?.status}`;
  return [{ kind: 'task', said: text, fault }];
}

/** The answer is what matters: it stands there, and it is the user's. */
export function judgeAnswer({ label, text }: Claim, { seen }: Case): readonly Verdict[] {
  if (!/answer/i.test(label)) return [];
  const held = squeezed(text);
  const asked = seen.calls.filter(
    ({ actions, outcome }) => outcome === 'ok' && actions.some(({ kind }) => kind === 'question'),
  );
  const answers = asked.map(({ text: result, actions }) => ({
    questions: actions.flatMap((action) => (action.kind === 'question' ? [squeezed(action.text).slice(0, 40)] : [])),
    answers: [...redactText(result).matchAll(/"="([\s\S]*?)(?:"(?:, "| user notes|\. You can|$))/g)].map(([, words]) =>
      squeezed(words ?? '').slice(0, 150),
    ),
  }));
  const own = answers.find(({ questions }) => questions.some((question) => held.includes(question)));
  if (own === undefined) return [];
  const isHeld = own.answers.some((answer) => held.includes(answer));
  return [{ kind: 'answer', said: text.slice(0, 240), fault: isHeld ? undefined : 'the answer is cut' }];
}

export function judgeWords({ form, label, text }: Claim, { squeezedText }: Case): readonly Verdict[] {
  if (/answer/i.test(label)) return [];
  const words = form === 'quote' ? text : quotedIn(text);
  return words === undefined ? [] : [wordsVerdict(words, squeezedText)];
}

/** The words were said verbatim. */
function wordsVerdict(words: string, squeezedText: string): Verdict {
  const parts = partsBetweenCuts(words).map(squeezed);
  const fault = parts.every((part) => squeezedText.includes(part)) ? undefined : 'nobody said it';
  return { kind: 'words', said: words.slice(0, 160), fault };
}
