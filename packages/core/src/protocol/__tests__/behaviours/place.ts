import type { Random } from '../../../testing/random.js';
import { isClosing, isOpening, type LayoutName, layOut, type Token, tokensOf } from './json-layouts.js';

/** The model's view: its document, the shown part, and the containers open there. */
export interface Place {
  readonly document: string;
  readonly shown: number;
  /** How much of the document had arrived when it was cut off; the model is shown less. */
  readonly arrived: number;
  readonly tokens: readonly Token[];
  /** The first token that was not shown to its end. */
  readonly next: number;
  /** Indices of the brackets that are open, outermost first. */
  readonly open: readonly number[];
}

export function placeOf(document: string, shown: number, arrived: number): Place {
  const tokens = tokensOf(document);
  const found = tokens.findIndex((token) => token.end > shown);
  const next = found === -1 ? tokens.length : found;
  const open: number[] = [];
  for (let index = 0; index < next; index++) {
    const { text } = tokens[index] as Token;
    if (isOpening(text)) open.push(index);
    else if (isClosing(text)) open.pop();
  }
  return { document, shown, arrived, tokens, next, open };
}

/** Where a retelling begins: the index of a token that was shown, or `undefined` where there is none of that kind. */
export type Target = (place: Place, random: Random) => number | undefined;

const openOf = ({ open, tokens }: Place, bracket: string) => open.filter((index) => tokens[index]?.text === bracket);

/** The elements of the array whose bracket is at `index` that had begun to be shown. */
function elements({ tokens, next, shown }: Place, index: number): number[] {
  const depth = (tokens[index] as Token).depth + 1;
  return tokens.flatMap((token, at) =>
    at > index && at <= next && token.start < shown && token.depth === depth && !/^[,\]}]$/.test(token.text)
      ? [at]
      : [],
  );
}

export const TARGETS = {
  'the last element': (place, random) => {
    const array = random.chance(0.7) ? openOf(place, '[').at(-1) : random.pick(openOf(place, '['));
    return array === undefined ? undefined : elements(place, array).at(-1);
  },
  'the last elements': (place, random) => {
    const array = openOf(place, '[').at(-1);
    return array === undefined ? undefined : random.pick(elements(place, array).slice(-4));
  },
  'the elements of an array': (place, random) => {
    const array = random.pick(openOf(place, '['));
    return array === undefined ? undefined : elements(place, array)[0];
  },
  'an array': (place, random) => random.pick(openOf(place, '[')),
  'the inner object': (place) => (place.open.length < 2 ? undefined : openOf(place, '{').at(-1)),
  'the parent object': (place) => (openOf(place, '{').length < 3 ? undefined : openOf(place, '{').at(-2)),
  'the whole document': (place) => (place.next === 0 ? undefined : 0),
  'the last lines': (place, random) => {
    const from = place.next - 1 - random.below(25);
    return from <= 0 || isClosing(place.tokens[from]?.text ?? '') ? undefined : from;
  },
} as const satisfies Record<string, Target>;

/** The document from a token on, in a layout. */
export const tell = ({ tokens }: Pick<Place, 'tokens'>, from: number, layout: LayoutName) =>
  layOut(tokens.slice(from), layout);

/** The same document with the keys of one object in another order; `undefined` where that object has fewer than two. */
export function reordered(place: Place, at: number, random: Random): Place | undefined {
  const { tokens, document } = place;
  const opening = tokens[at];
  if (opening?.text !== '{') return undefined;
  const closing = tokens.find((token, index) => index > at && token.depth === opening.depth && isClosing(token.text));
  if (closing === undefined) return undefined;
  const entries = Object.entries(JSON.parse(document.slice(opening.start, closing.end)));
  if (entries.length < 2) return undefined;
  const turn = 1 + random.below(entries.length - 1);
  const turned = Object.fromEntries([...entries.slice(turn), ...entries.slice(0, turn)]);
  const told = document.slice(0, opening.start) + JSON.stringify(turned) + document.slice(closing.end);
  return { ...place, document: told, tokens: tokensOf(told) };
}
