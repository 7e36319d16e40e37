import { lastRequests } from '../../evidence/last-requests.js';
import type { Ledger, Said } from '../../ledger/ledger.js';
import type { HandoffItem, ItemOrigin } from '../handoff-document.js';
import { LABELS } from '../labels.js';
import { oneLine, quoted, sentencesIn } from '../wording.js';

/** The user's own words: the last of them verbatim, what it began with, what holds all the time, and what lay between. */
export function requestItems(ledger: Ledger): readonly HandoffItem[] {
  const { firstRequest, requests, lastInput } = ledger;
  const last = requests.at(-1);
  return [
    ...lastRequestItems(ledger),
    ...(lastInput === undefined || lastInput.step + 1 < (last?.step ?? 0)
      ? []
      : [{ ...verbatim(lastInput, LABELS.afterIt), share: 0.1 }]),
    ...(firstRequest === undefined || firstRequest.text === last?.text
      ? []
      : [{ ...verbatim(firstRequest, LABELS.began), worth: 30, share: 0.2 }]),
    ...standingInstructions(requests),
    ...earlierRequests(ledger),
  ];
}

/** Required: the last request, and those that wait with it. */
export function lastRequestItems(ledger: Ledger): readonly HandoffItem[] {
  const { requests, unanswered } = lastRequests(ledger);
  return [...requests]
    .reverse()
    .map((said, age) =>
      age === 0
        ? { ...verbatim(said, unanswered ? LABELS.unanswered : LABELS.lastRequest), share: 0.3 }
        : { ...verbatim(said, LABELS.askedWithIt), share: 0.1 },
    );
}

const verbatim = ({ text, from }: Said, label: string): HandoffItem => ({
  form: 'quote',
  text: text.trim(),
  label,
  from: [from],
  worth: 100,
  required: true,
});

/** Sentences that tell how to work, rather than what to do next. The newest first. */
function standingInstructions(requests: readonly Said[]): readonly HandoffItem[] {
  const told = new Set<string>();
  return requests
    .slice(0, -1)
    .reverse()
    .flatMap(standingItems)
    .filter(({ text }) => !told.has(text) && told.add(text).size > 0);
}

export const standingItems = ({
  text,
  from,
}: {
  readonly text: string;
  readonly from: ItemOrigin;
}): readonly HandoffItem[] =>
  standingSentences(text).map((sentence) => ({
    form: 'line',
    text: quoted(sentence, 240),
    label: LABELS.standing,
    from: [from],
    worth: 10,
  }));

const standingSentences = (text: string): readonly string[] =>
  text.length > LONGEST_SPOKEN
    ? []
    : sentencesIn(text).filter((sentence) => STANDING.test(sentence) && !sentence.endsWith('?'));

/** A longer text is a plan or something pasted, not a person talking. */
const LONGEST_SPOKEN = 1_500;
/** Said to somebody: “never touch”, “and don't push”; not “which never returns”. */
const STANDING =
  /(?:^|[,;:(] ?|\b(?:please|you|we|should|and|but|also|so|just|I'd|yes|no) )(?:always|never|don['’]?t|do not)\b|\b(?:you must|must(?: not| never)|make sure|from now on|every time you|keep (?:each|all|the)|I prefer|we prefer|on purpose)\b/i;

/** What was said in between. A mere “yes” says nothing without its question, and nothing is told twice. */
function earlierRequests(ledger: Ledger): readonly HandoffItem[] {
  const { firstRequest, requests } = ledger;
  const told = new Set([firstRequest, ...lastRequests(ledger).requests].map((said) => oneLine(said?.text ?? '')));
  return requests
    .slice(0, -1)
    .reverse()
    .map((said) => ({ said, whole: oneLine(said.text) }))
    .filter(({ whole }) => !BARE_REPLY.test(whole) && !isAllStanding(whole))
    .filter(({ whole }) => !told.has(whole) && told.add(whole).size > 0)
    .map(({ said, whole }, age) => ({
      form: 'line',
      text: quoted(whole, age < 4 ? 320 : 160),
      label: LABELS.earlier,
      from: [said.from],
      worth: 10 / (1 + age / 3),
    }));
}

const BARE_REPLY =
  /^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|no|go(?: on| ahead)?|continue|please|thanks?|perfect|great|good|cool|do it|next)[\s,.!]*)+$/i;

const isAllStanding = (whole: string): boolean => standingSentences(whole).join(' ') === whole;
