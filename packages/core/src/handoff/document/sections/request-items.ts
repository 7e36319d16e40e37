import type { Ledger, Said } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { quoted, sentencesIn } from '../wording.js';

/** The user's own words: the last of them verbatim, what it began with, what holds all the time, and what lay between. */
export function requestItems({ firstRequest, requests, lastInput }: Ledger): readonly HandoffItem[] {
  const last = requests.at(-1);
  const between = requests.slice(0, -1).filter((said) => said !== firstRequest);
  return [
    ...(last === undefined ? [] : [verbatim(last, 'The last request, verbatim:', 0.3)]),
    ...(lastInput === undefined || lastInput.step + 1 < (last?.step ?? 0)
      ? []
      : [verbatim(lastInput, 'After that, written there by the agent program, not by the user:', 0.1)]),
    ...(firstRequest === undefined || firstRequest === last
      ? []
      : [{ ...verbatim(firstRequest, 'The conversation began with:', 0.2), required: false, worth: 30 }]),
    ...standingInstructions(requests),
    ...between.reverse().map(earlierRequest),
  ];
}

const verbatim = ({ text, from }: Said, label: string, share: number): HandoffItem => ({
  form: 'quote',
  text: text.trim(),
  label,
  from: [from],
  worth: 100,
  required: true,
  share,
});

/** Sentences that tell how to work, rather than what to do next. The newest first. */
function standingInstructions(requests: readonly Said[]): readonly HandoffItem[] {
  return requests
    .slice(0, -1)
    .flatMap(({ text, from }) =>
      text.length > LONGEST_SPOKEN
        ? []
        : sentencesIn(text)
            .filter((sentence) => STANDING.test(sentence) && !sentence.endsWith('?'))
            .map(
              (sentence): HandoffItem => ({
                form: 'line',
                text: `The user said how to work: ${quoted(sentence, 240)}`,
                from: [from],
                worth: 8,
              }),
            ),
    )
    .reverse();
}

/** A longer text is a plan or something pasted, not a person talking. */
const LONGEST_SPOKEN = 1_500;
const STANDING =
  /\b(?:always|never|don['’]?t|do not|must(?: not)?|make sure|from now on|every time|keep (?:each|all|the)|prefer|on purpose)\b/i;

const earlierRequest = ({ text, from }: Said, age: number): HandoffItem => ({
  form: 'line',
  text: `Earlier the user said: ${quoted(text, age < 4 ? 320 : 160)}`,
  from: [from],
  worth: 10 / (1 + age / 3),
});
