import type { Random } from '../../../testing/random.js';
import { LAYOUT_NAMES, type Token } from './json-layouts.js';
import { type Place, reordered, TARGETS, type Target, tell } from './place.js';

interface Told {
  readonly text: string;
  readonly stopReason?: string;
  /** The document in the order of keys that the model uses now. */
  readonly document?: string;
}

/** How a model answers the request for the rest; `undefined` where the place does not allow it. */
export type Behaviour = (place: Place, random: Random) => Told | undefined;

const rest = ({ document, shown }: Place) => document.slice(shown);
const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const whole = (text: string): Told => ({ text, stopReason: 'end_turn' });
const otherLayout = (random: Random) => random.pick(LAYOUT_NAMES);
const overlapping = ({ document, shown }: Place, length: number) => document.slice(Math.max(0, shown - length));

/** The same, cut off again somewhere. */
const cutAgain =
  (behaviour: Behaviour): Behaviour =>
  (place, random) => {
    const told = behaviour(place, random);
    if (told === undefined || told.text.length < 2) return undefined;
    return { ...told, text: told.text.slice(0, 1 + random.below(told.text.length - 1)), stopReason: 'max_tokens' };
  };

const retold =
  (target: keyof typeof TARGETS): Behaviour =>
  (place, random) => {
    const from = TARGETS[target](place, random);
    return from === undefined ? undefined : whole(tell(place, from, otherLayout(random)));
  };

const retoldInOtherOrder =
  (target: keyof typeof TARGETS): Behaviour =>
  (place, random) => {
    const from = TARGETS[target](place, random);
    const told = from === undefined ? undefined : reordered(place, from, random);
    if (from === undefined || told === undefined) return undefined;
    return { ...whole(tell(told, from, otherLayout(random))), document: told.document };
  };

/** The rest of the document from the first line break on inside the string that was cut: the rest of a line is lost. */
const skippedLine: Behaviour = (place) => {
  const token = place.tokens[place.next];
  if (token === undefined || !isInString(place)) return undefined;
  const lineBreak = place.document.indexOf('\\n', place.shown);
  return lineBreak === -1 || lineBreak >= token.end ? undefined : whole(place.document.slice(lineBreak + 2));
};

/** The rest from the beginning of a line inside the string that was cut. */
const repeatedLines: Behaviour = (place, random) => {
  if (!isInString(place)) return undefined;
  const start = place.tokens[place.next]?.start ?? 0;
  let at = place.shown;
  for (let lines = 1 + random.below(3); lines > 0 && at > start; lines--)
    at = place.document.lastIndexOf('\\n', at - 1);
  return at <= start ? undefined : whole(place.document.slice(at + 2));
};

function isInString({ tokens, next, shown }: Place): boolean {
  const token = tokens[next];
  return token?.text.startsWith('"') === true && token.start < shown;
}

/** A number had begun to arrive, and the model writes its missing digits. */
const halfANumber: Behaviour = (place) => {
  const token = begun(place);
  if (token === undefined || !/^-?\d{2,}$/.test(token.text)) return undefined;
  const rest = place.document.slice(place.arrived);
  // `11` as `1` and `1`: indistinguishable from a model that means 1.
  return rest.startsWith(place.document.slice(token.start, place.arrived)) ? undefined : whole(rest);
};

/** `true` had begun to arrive, and the model writes `false`. */
const otherLiteral: Behaviour = (place) => {
  const token = begun(place);
  if (token === undefined || !/^(?:true|false)$/.test(token.text)) return undefined;
  return whole((token.text === 'true' ? 'false' : 'true') + place.document.slice(token.end));
};

/** The token after the shown text, if it had begun to arrive. */
function begun({ tokens, next, arrived }: Place): Token | undefined {
  const token = tokens[next];
  return token !== undefined && token.start < arrived && arrived < token.end ? token : undefined;
}

/** An object repeated to its end, after which the model stops. */
const onlyTheObject =
  (target: 'the inner object' | 'the parent object'): Behaviour =>
  (place, random) => {
    const from = (TARGETS[target] as Target)(place, random);
    if (from === undefined) return undefined;
    const { depth } = place.tokens[from] as { depth: number };
    const end = place.tokens.findIndex((token, index) => index > from && token.depth === depth && token.text === '}');
    const closers = 1 + random.below(depth + 1);
    return whole(tell({ tokens: place.tokens.slice(0, end + closers) }, from, otherLayout(random)));
  };

const escaped: Behaviour = (place, random) => {
  const told = retold('the last elements')(place, random);
  return told && whole(told.text.replaceAll(/[\u0080-\uffff]/g, escapeOf));
};
const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const exact: Behaviour = (place) => whole(rest(place));
const restarted: Behaviour = (place) => whole(place.document);
const around =
  (wrap: (text: string, random: Random) => string, behaviour: Behaviour = exact): Behaviour =>
  (place, random) => {
    const told = behaviour(place, random);
    return told && { ...told, text: wrap(told.text, random) };
  };

const think = (text: string) => `<think>\nThe user wants the rest of {"a": [1, 2]}. Go on.\n</think>\n${text}`;
const thinkShortly = (text: string) => `<think>I go on where it was cut.</think>${text}`;
const sentence = (text: string, random: Random) =>
  `${text}${random.pick(['\n\n', ' ', '\n'])}${random.pick(['Let me know if you need anything else.', 'This completes the JSON.', 'Done!'])}`;

const targets = Object.keys(TARGETS) as (keyof typeof TARGETS)[];
const withObjects = targets.filter((name) => !name.includes('array') && name !== 'the last lines');

/** Each may be refused, but never joined wrongly. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'continues exactly': exact,
  'continues exactly, cut again': cutAgain(exact),
  'continues exactly, no stop reason': (place) => ({ text: rest(place) }),
  'continues in another layout': (place, random) =>
    isInString(place) ? undefined : whole(tell(place, place.next, otherLayout(random))),
  'continues in another layout, cut again': cutAgain((place, random) =>
    isInString(place) ? undefined : whole(tell(place, place.next, otherLayout(random))),
  ),
  'repeats 1 to 7 characters': (place, random) => whole(overlapping(place, 1 + random.below(7))),
  'repeats 8 to 80 characters': (place, random) => whole(overlapping(place, 8 + random.below(73))),
  'repeats 8 to 80 characters, cut again': cutAgain((place, random) => whole(overlapping(place, 8 + random.below(73)))),
  restarts: restarted,
  'restarts, cut again': cutAgain(restarted),
  ...Object.fromEntries(targets.map((name) => [`tells ${name} again`, retold(name)])),
  ...Object.fromEntries(targets.map((name) => [`tells ${name} again, cut again`, cutAgain(retold(name))])),
  ...Object.fromEntries(withObjects.map((name) => [`reorders ${name}`, retoldInOtherOrder(name)])),
  ...Object.fromEntries(withObjects.map((name) => [`reorders ${name}, cut again`, cutAgain(retoldInOtherOrder(name))])),
  'tells the last elements again, escaped': escaped,
  'tells the inner object alone': onlyTheObject('the inner object'),
  'tells the parent object alone': onlyTheObject('the parent object'),
  'thinks first': around(think),
  'thinks first, cut again': cutAgain(around(think)),
  'thinks first, on the same line': around(thinkShortly),
  'thinks first, on the same line, cut again': cutAgain(around(thinkShortly)),
  'says "Continuing:"': around((text) => `Continuing:\n${text}`),
  'says "Continuing:" on the same line': around((text) => `Continuing: ${text}`),
  'says "Continuing:" on the same line, cut again': cutAgain(around((text) => `Continuing: ${text}`)),
  'begins with dots, cut again': cutAgain(around((text) => `...${text}`)),
  'begins with dots': around((text, random) => `${random.pick(['...', '…', '... ', '...\n'])}${text}`),
  'begins with a sentence': around((text) => `Here is the rest of the JSON:\n\n${text}`),
  'ends with a sentence': around(sentence),
  'adds a fence': around(fenced),
  'adds a fence and a sentence': around((text, random) => sentence(fenced(text), random)),
  'restarts in a fence, with prose before': around(
    (text) => `Here is the complete JSON:\n\n${fenced(text)}\n`,
    restarted,
  ),
  'restarts in a fence, with a sentence after': around((text, random) => sentence(fenced(text), random), restarted),
  'restarts after thinking': around(think, restarted),
  'begins with U+00A0': around((text) => `\u00a0${text}`),
  'skips a line of a string': skippedLine,
  'repeats lines of a string': repeatedLines,
  'writes half a number': halfANumber,
  'contradicts a literal': otherLiteral,
};
