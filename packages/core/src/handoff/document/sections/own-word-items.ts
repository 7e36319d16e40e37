import type { Ledger, Said } from '../../ledger/ledger.js';
import { parseHandoffFromOutput } from '../../seed/parse-handoff-from-output.js';
import type { HandoffItem } from '../handoff-document.js';
import { LABELS } from '../labels.js';
import { isAnnouncement, oneLine, quoted, sentencesIn } from '../wording.js';

/** A handoff that the agent wrote; what it said along the way; what its model wrote at the last compaction. Nothing twice. */
export function ownWordItems(ledger: Ledger): readonly HandoffItem[] {
  const { notes, summary, requests } = ledger;
  const before =
    requests.at(-1)?.replyTo === undefined
      ? undefined
      : notes.findLast(({ step }) => step < (requests.at(-1)?.step ?? 0));
  const said = new Set<string>();
  const isNew = (sentence: string) => !said.has(sentence) && said.add(sentence).size > 0;
  // What the last request answers stands beside it.
  const earlier = notes
    .slice(0, -1)
    .filter((note) => note !== before || note.text.length > LONGEST)
    .reverse();
  return [
    ...ownHandoff(notes),
    ...earlier.flatMap((note, age) =>
      tellingSentences(note)
        .filter(isNew)
        .map(
          (sentence): HandoffItem => ({
            form: 'line',
            text: quoted(sentence, LONGEST),
            from: [note.from],
            worth: 0.8 / (1 + age / 6),
          }),
        ),
    ),
    ...(summary === undefined ? [] : tellingSentences(summary)).filter(isNew).map(
      (sentence): HandoffItem => ({
        form: 'line',
        text: quoted(sentence, LONGEST),
        label: LABELS.summary,
        from: summary === undefined ? [] : [summary.from],
        worth: 0.5,
      }),
    ),
  ];
}

/** The newest, where the agent wrote one. */
function ownHandoff(notes: readonly Said[]): readonly HandoffItem[] {
  for (const { text, from } of [...notes].reverse()) {
    const handoff = parseHandoffFromOutput(text, { isComplete: true });
    if (handoff !== undefined)
      return [{ form: 'quote', text: handoff, label: LABELS.ownHandoff, from: [from], worth: 25, share: 0.2 }];
  }
  return [];
}

/** A short note is told whole: its sentences belong together. */
function tellingSentences({ text }: Said): readonly string[] {
  const all = sentencesIn(text);
  const sentences = all.filter((sentence) => !isAnnouncement(sentence) && isSentence(sentence));
  const whole = oneLine(sentences.join(' '));
  // With something left out between them they are not one quote.
  return sentences.length === all.length && whole !== '' && whole.length <= LONGEST ? [whole] : sentences;
}

const LONGEST = 320;

/** Four words at least; less is a heading or an exclamation. What the provider's errors say is no note. */
const isSentence = (text: string) => text.split(' ').length >= 4 && !/^API Error\b/.test(text);
