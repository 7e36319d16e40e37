import type { Passage, PassageKind } from './passage.js';
import { type RecallQuery, type RecallTerm, wordsIn } from './search-words.js';

/** A passage that matches the query. */
export interface Candidate<Place> {
  readonly passage: Passage;
  readonly place: Place;
}

export interface RecallResult<Place> extends Candidate<Place> {
  /** The lines of the passage that answer, shortened. */
  readonly excerpt: string;
  /** More names of the passage that fit, without their lines. */
  readonly also: readonly string[];
}

/**
 * The passages that together cover most of the candidates: those with names not shown by a better one come first, then
 * other statements about the same names. The newest conversation counts most. Candidates come newest first.
 */
export function chooseResults<Place>(
  candidates: readonly Candidate<Place>[],
  query: RecallQuery,
  limit: number,
  conversationOf: (place: Place) => string,
): readonly RecallResult<Place>[] {
  const names = createNameFinder(query);
  const rank = createRank(conversationOf);
  const open = new Set(
    candidates.map((candidate, age) => ({
      ...candidate,
      names: names.in(candidate.passage.text),
      age,
      rank: rank(candidate),
    })),
  );
  const worths = worthOfNames([...open], names.fit);
  const told = new Set<string>();
  const shown = new Set<string>();
  const results: RecallResult<Place>[] = [];
  while (results.length < limit) {
    const best = mostTelling(open, told, worths);
    if (best === undefined) break;
    open.delete(best);
    const { passage, place } = best;
    const untold = best.names.filter((name) => !told.has(name));
    const excerpt = excerptOf(passage.text, untold.length > 0 ? untold : best.names, worths);
    if (shown.has(excerpt)) continue;
    shown.add(excerpt);
    for (const name of names.in(excerpt)) told.add(name);
    const also = withinRoom(
      untold.filter((name) => !told.has(name)),
      worths,
    );
    for (const name of also) told.add(name);
    results.push({ passage, place, excerpt, also });
  }
  return results;
}

interface Found {
  readonly passage: Passage;
  readonly names: readonly string[];
  /** 0 is the newest. */
  readonly age: number;
  /** Of its conversation; 0 is the newest. */
  readonly rank: number;
}

/** Conversations in the order in which the candidates name them. */
function createRank<Place>(conversationOf: (place: Place) => string): (candidate: Candidate<Place>) => number {
  const ranks = new Map<string, number>();
  return ({ place }) => {
    const conversation = conversationOf(place);
    const known = ranks.get(conversation) ?? ranks.size;
    ranks.set(conversation, known);
    return known;
  };
}

type Worths = ReadonlyMap<string, number>;

function mostTelling<Some extends Found>(
  open: ReadonlySet<Some>,
  told: ReadonlySet<string>,
  worths: Worths,
): Some | undefined {
  let best: Some | undefined;
  let most = 0;
  for (const found of open) {
    let sum = found.names.length > 0 ? REPEATED * shareOf(found) : 0;
    for (const name of found.names) if (!told.has(name)) sum += worths.get(name) ?? 0;
    if (sum > most) [best, most] = [found, sum];
  }
  return best;
}

/** Weight of a passage that only adds to known names: less than any new name. */
const REPEATED = 0.001;

/** The words of people, commands and changes tell more than a long output. */
const KIND_WORTH: Readonly<Record<PassageKind, number>> = {
  request: 6,
  plan: 5,
  change: 4,
  command: 4,
  call: 3,
  reply: 3,
  task: 3,
  summary: 2,
  output: 1,
};

const RECENT_PASSAGES = 200;

/** An agent asks for its own past first: each newer conversation takes this much of the weight of an older one. */
const OLDER_CONVERSATION = 10;

const shareOf = ({ passage, age, rank }: Pick<Found, 'passage' | 'age' | 'rank'>): number =>
  KIND_WORTH[passage.kind] / ((1 + age / RECENT_PASSAGES) * (1 + rank * OLDER_CONVERSATION));

/** Weight of a name: frequent, recent, and close to the query. */
function worthOfNames(found: readonly Found[], fit: (name: string) => number): Worths {
  const sums = new Map<string, number>();
  for (const { names, passage, age, rank } of found) {
    const share = shareOf({ passage, age, rank });
    for (const name of names) sums.set(name, (sums.get(name) ?? 0) + share);
  }
  return new Map([...sums].map(([name, sum]) => [name, Math.log2(1 + sum) * fit(name)]));
}

interface NameFinder {
  /** Names, paths and words of a text that hold a term of the query, each once. */
  in(text: string): readonly string[];
  /** How close a name is to the query. */
  fit(name: string): number;
}

const NAME = /[\p{L}\p{N}_./-]{2,}/gu;
/** `grep` writes the number of a line behind the name of its file. */
const AROUND_NAME = /^[./-]+|(?:-\d+)?[./-]+$/g;

function createNameFinder(query: RecallQuery): NameFinder {
  const fits = new Map<string, number>();
  const fit = (name: string) => {
    const known = fits.get(name);
    if (known !== undefined) return known;
    const found = Math.max(0, ...query.map((term) => fitOf(name, term)));
    fits.set(name, found);
    return found;
  };
  return {
    fit,
    in(text) {
      const names = new Set<string>();
      for (const [raw] of text.matchAll(NAME)) {
        const name = raw.replace(AROUND_NAME, '');
        const found = fit(name);
        // One file has several paths, seen from several folders; if its name was typed, the user wants the paths.
        if (found > 0) names.add(found === FIT.isLastPart || found === FIT.inFolder ? name : lastPart(name));
      }
      return [...names];
    },
  };
}

/**
 * 0: no match. Best: the last part of the name equals the query; then: the name begins with it. The beginning of a word counts
 * as much as there is of it: `s` means `s.Save` rather than `session`.
 */
function fitOf(name: string, { words, text }: RecallTerm): number {
  const last = lastPart(name);
  const among = wordsIn(last);
  const at = placeOf(words, among);
  if (at === -1) return placeOf(words, wordsIn(name)) === -1 ? 0 : FIT.inFolder;
  if (last.length === text.length && at === 0) return FIT.isLastPart;
  const share = (words.at(-1)?.length ?? 0) / (among[at + words.length - 1]?.length ?? 1);
  if (at > 0) return FIT.inside * share;
  return (last.startsWith(text) ? FIT.beginsAsTyped : FIT.begins) * share;
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('/') + 1);

const FIT = { isLastPart: 4, beginsAsTyped: 3, begins: 2, inside: 1, inFolder: 0.2 };

/** Where the words are adjacent; the last may be the beginning of a longer word. */
function placeOf(words: readonly string[], among: readonly string[]): number {
  return among.findIndex((_, start) =>
    words.every((word, nth) =>
      nth === words.length - 1 ? among[start + nth]?.startsWith(word) === true : among[start + nth] === word,
    ),
  );
}

const MAX_EXCERPT_CHARS = 600;
const MAX_ALSO_CHARS = 400;
const MAX_LINE_CHARS = 200;
const MARGIN_CHARS = 60;

/** The lines that hold the names, those first that tell most in the least room; then in their order. */
function excerptOf(text: string, names: readonly string[], worths: Worths): string {
  const lines = text.split('\n').flatMap((line, at) => {
    const held = names.filter((name) => line.includes(name));
    if (held.length === 0) return [];
    const shown = around(line.trim(), held);
    const worth = held.reduce((sum, name) => sum + (worths.get(name) ?? 0), 0);
    return [{ text: shown, at, held, density: worth / (shown.length + 1) }];
  });
  const kept: typeof lines = [];
  const shown = new Set<string>();
  let room = MAX_EXCERPT_CHARS;
  for (const line of lines.sort((a, b) => b.density - a.density || a.at - b.at)) {
    if (line.text.length + 1 > room || line.held.every((name) => shown.has(name))) continue;
    room -= line.text.length + 1;
    kept.push(line);
    for (const name of line.held) shown.add(name);
  }
  const inOrder = kept.sort((a, b) => a.at - b.at);
  return inOrder.map((line) => line.text).join('\n');
}

/** As many names as have room, the worthiest first. */
function withinRoom(names: readonly string[], worths: Worths): readonly string[] {
  let room = MAX_ALSO_CHARS;
  return [...names]
    .sort((a, b) => (worths.get(b) ?? 0) - (worths.get(a) ?? 0))
    .filter((name) => {
      room -= name.length + 2;
      return room >= 0;
    });
}

/** The part of a long line around the first of the names. */
function around(line: string, names: readonly string[]): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const firsts = names.map((name) => line.indexOf(name)).filter((at) => at >= 0);
  const first = Math.min(...firsts, line.length);
  const start = Math.max(0, first - MARGIN_CHARS);
  const end = Math.min(line.length, start + MAX_LINE_CHARS);
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
