import type { JsonValue } from '../../ports/json.js';
import { isListOf, isNumber, isRecordOf, isText } from './checks.js';
import { MENTION_KINDS, type Mention } from './mention.js';
import { Mentions, type ShownText } from './mentions.js';

/** There are thousands of them: columns instead of objects are a third of the size and quick to write and to read. */
export function packMentions(mentions: Mentions): JsonValue {
  const { acted, shown } = mentions.parts();
  const places = createIndex();
  return {
    acted: acted.map(([name]) => name).join('\n'),
    actedNumbers: acted.flatMap(([, { kinds, ever, short, long, step, place }]) => [
      kinds,
      ever,
      short,
      long,
      step,
      places.of(place),
    ]),
    shown: shown.map(({ names, listed }) => listed ?? [...names()].join('\n')),
    shownNumbers: shown.flatMap(({ mentioning: { kind, step, place }, chars }) => [
      MENTION_KINDS.indexOf(kind),
      step,
      places.of(place),
      chars,
    ]),
    places: places.all(),
  };
}

const NOWHERE = -1;
const ACTED_COLUMNS = 6;
const SHOWN_COLUMNS = 4;

function createIndex() {
  const indexes = new Map<string, number>();
  return {
    of(place: string | undefined): number {
      if (place === undefined) return NOWHERE;
      const known = indexes.get(place);
      if (known !== undefined) return known;
      indexes.set(place, indexes.size);
      return indexes.size - 1;
    },
    all: () => [...indexes.keys()],
  };
}

export function unpackMentions(value: unknown): Mentions | undefined {
  if (!isPacked(value)) return undefined;
  const packed = value as PackedMentions;
  const names = packed.acted === '' ? [] : packed.acted.split('\n');
  const isWhole =
    names.length * ACTED_COLUMNS === packed.actedNumbers.length &&
    packed.shown.length * SHOWN_COLUMNS === packed.shownNumbers.length;
  if (!isWhole) return undefined;
  return new Mentions({
    acted: names.map((name, index) => [name, mentionAt(packed, index * ACTED_COLUMNS)] as const),
    shown: packed.shown.map((text, index) => shownAt(packed, text, index * SHOWN_COLUMNS)),
  });
}

interface PackedMentions {
  readonly acted: string;
  readonly actedNumbers: readonly number[];
  readonly shown: readonly string[];
  readonly shownNumbers: readonly number[];
  readonly places: readonly string[];
}

const isPacked = isRecordOf({
  acted: isText,
  actedNumbers: isListOf(isNumber),
  shown: isListOf(isText),
  shownNumbers: isListOf(isNumber),
  places: isListOf(isText),
});

const mentionAt = ({ actedNumbers: numbers, places }: PackedMentions, at: number): Mention => ({
  kinds: numbers[at] ?? 0,
  ever: numbers[at + 1] ?? 0,
  short: numbers[at + 2] ?? 0,
  long: numbers[at + 3] ?? 0,
  step: numbers[at + 4] ?? 0,
  place: places[numbers[at + 5] ?? NOWHERE],
  bulk: undefined,
});

function shownAt({ shownNumbers: numbers, places }: PackedMentions, text: string, at: number): ShownText {
  const kind = MENTION_KINDS[numbers[at] ?? 0] ?? 'result';
  const mentioning = { kind, step: numbers[at + 1] ?? 0, place: places[numbers[at + 2] ?? NOWHERE] };
  return { mentioning, chars: numbers[at + 3] ?? 0, names: () => (text === '' ? [] : text.split('\n')), listed: text };
}
