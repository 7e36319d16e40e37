import type { Ledger, Said } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { isAnnouncement, oneLine, quoted, sentencesIn } from '../wording.js';

/** What the agent said along the way, and what its model wrote down at the last compaction. Nothing twice. */
export function ownWordItems({ notes, summary }: Ledger): readonly HandoffItem[] {
  const said = new Set<string>();
  const isNew = (sentence: string) => !said.has(sentence) && said.add(sentence).size > 0;
  const earlier = notes.slice(0, -1).reverse();
  return [
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
        text: `From the last compaction: ${quoted(sentence, LONGEST)}`,
        from: summary === undefined ? [] : [summary.from],
        worth: 0.5,
      }),
    ),
  ];
}

/** A short note is told whole: its sentences belong together. */
function tellingSentences({ text }: Said): readonly string[] {
  const sentences = sentencesIn(text).filter((sentence) => !isAnnouncement(sentence) && isSentence(sentence));
  const whole = oneLine(sentences.join(' '));
  return whole !== '' && whole.length <= LONGEST ? [whole] : sentences;
}

const LONGEST = 320;

/** Four words at least; less is a heading or an exclamation. */
const isSentence = (text: string) => text.split(' ').length >= 4;
