import { namesIn, shapeOf } from '../names.js';

/** How likely a name is to be needed again, by how it came up. Fitted on points in real conversations, then rounded. */
const WORTH = {
  'changed-file': 4,
  'read-file': 5,
  command: 5,
  search: 3,
  request: 2,
  note: 1,
  report: 0.8,
  summary: 0.8,
  'new-text': 0.4,
  'old-text': 0.2,
  'other-input': 2.5,
  result: 0.15,
  'failed-result': 0.9,
} as const;

export type MentionKind = keyof typeof WORTH;

const KINDS = Object.keys(WORTH) as MentionKind[];
const BIT = Object.fromEntries(KINDS.map((kind, index) => [kind, 1 << index])) as Record<MentionKind, number>;

/** After so many steps a mention counts half. Two of them: what is at hand now, and what this is all about. */
const SHORT_HALF_LIFE = 12;
const LONG_HALF_LIFE = 40;
/** What remains of a mention however long ago it was. */
const EVER = 0.6;

const MOST_NAMES = 24_000;
const KEPT_NAMES = 16_000;

interface Mention {
  kinds: number;
  ever: number;
  short: number;
  long: number;
  step: number;
  /** The file or command at which the name was last seen. */
  place: string | undefined;
}

export type Mentions = Map<string, Mention>;

export interface Mentioning {
  readonly kind: MentionKind;
  readonly step: number;
  readonly place?: string | undefined;
}

export function mention(mentions: Mentions, text: string, mentioning: Mentioning): void {
  addMentions(mentions, namesIn(text), mentioning);
  if (mentions.size > MOST_NAMES) forgetLeast(mentions, mentioning.step);
}

function addMentions(mentions: Mentions, names: Iterable<string>, { kind, step, place }: Mentioning): void {
  for (const name of names) {
    const worth = WORTH[kind] * (isBulk(kind) ? BULK[shapeOf(name)] : 1);
    const known = mentions.get(name) ?? { kinds: 0, ever: 0, short: 0, long: 0, step, place };
    const age = step - known.step;
    known.short = known.short * 2 ** (-age / SHORT_HALF_LIFE) + worth;
    known.long = known.long * 2 ** (-age / LONG_HALF_LIFE) + worth;
    if ((known.kinds & BIT[kind]) === 0) known.ever += worth;
    known.kinds |= BIT[kind];
    known.step = step;
    known.place = place ?? known.place;
    mentions.set(name, known);
  }
}

/** Text that was not chosen for its names: of those in it, files are the likeliest to be needed. */
const isBulk = (kind: MentionKind) => kind === 'result' || kind === 'new-text' || kind === 'old-text';
const BULK = { path: 4, member: 0.4, hash: 0.3, plain: 1 } as const;

/** How much it would help the next conversation to know this name. */
export function worthOf({ ever, short, long, step }: Mention, now: number): number {
  const age = now - step;
  return (
    EVER * ever + Math.log1p(short * 2 ** (-age / SHORT_HALF_LIFE)) + Math.log1p(long * 2 ** (-age / LONG_HALF_LIFE))
  );
}

function forgetLeast(mentions: Mentions, now: number): void {
  const byWorth = [...mentions].map(([name, known]) => ({ name, worth: worthOf(known, now) }));
  byWorth.sort((a, b) => a.worth - b.worth);
  for (const { name } of byWorth.slice(0, mentions.size - KEPT_NAMES)) mentions.delete(name);
}
