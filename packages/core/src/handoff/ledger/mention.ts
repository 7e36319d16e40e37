import { shapeOf } from '../names.js';

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

export const MENTION_KINDS = Object.keys(WORTH) as readonly MentionKind[];
const BIT = Object.fromEntries(MENTION_KINDS.map((kind, index) => [kind, 1 << index])) as Record<MentionKind, number>;

/** After so many steps a mention counts half. Two of them: what is at hand now, and what this is all about. */
const SHORT_HALF_LIFE = 12;
const LONG_HALF_LIFE = 40;
/** What is left of a mention after so many steps, worked out ahead: it is asked for a hundred thousand times. */
function createDecay(halfLife: number) {
  const left = Float64Array.from({ length: 1_024 }, (_, age) => 2 ** (-age / halfLife));
  return { after: (age: number): number => left[age] ?? 2 ** (-age / halfLife) };
}

const SHORT_LEFT = createDecay(SHORT_HALF_LIFE);
const LONG_LEFT = createDecay(LONG_HALF_LIFE);

/** What remains of a mention however long ago it was. */
const EVER = 0.6;

/** All mentions of a name, folded. */
export interface Mention {
  kinds: number;
  ever: number;
  short: number;
  long: number;
  /** Of the newest. */
  step: number;
  /** The file or command at which the name was last seen. */
  place: string | undefined;
  /** What its shape makes of a mention in bulk, once that was asked. */
  bulk: number | undefined;
}

export interface Mentioning {
  readonly kind: MentionKind;
  readonly step: number;
  readonly place?: string | undefined;
}

/** Takes one more mention of a name, which may be older than the newest. */
export function addMention(mentions: Map<string, Mention>, name: string, { kind, step, place }: Mentioning): void {
  const known = mentions.get(name);
  if (known === undefined) {
    const first = { kinds: BIT[kind], ever: 0, short: 0, long: 0, step, place, bulk: undefined };
    first.ever = first.short = first.long = worthIn(kind, name, first);
    mentions.set(name, first);
    return;
  }
  const worth = worthIn(kind, name, known);
  const age = step - known.step;
  if (age > 0) {
    known.short = known.short * SHORT_LEFT.after(age) + worth;
    known.long = known.long * LONG_LEFT.after(age) + worth;
    known.step = step;
  } else {
    known.short += worth * SHORT_LEFT.after(-age);
    known.long += worth * LONG_LEFT.after(-age);
  }
  if ((known.kinds & BIT[kind]) === 0) known.ever += worth;
  known.kinds |= BIT[kind];
  if (place !== undefined) known.place = place;
}

function worthIn(kind: MentionKind, name: string, mention: Mention): number {
  if (!isBulk(kind)) return WORTH[kind];
  mention.bulk ??= BULK[shapeOf(name)];
  return WORTH[kind] * mention.bulk;
}

/** Text that was not chosen for its names: of those in it, files are the likeliest to be needed. */
const isBulk = (kind: MentionKind) => kind === 'result' || kind === 'new-text' || kind === 'old-text';
const BULK = { path: 4, member: 0.4, hash: 0.3, plain: 1 } as const;

/** It was opened, changed, run or searched for. */
export const isActedOn = ({ kinds }: Pick<Mention, 'kinds'>): boolean => (kinds & ACTED) !== 0;

const ACTED = BIT['changed-file'] | BIT['read-file'] | BIT.command | BIT.search;

/** How much it would help the next conversation to know this name. */
export function worthOf({ ever, short, long, step }: Mention, now: number): number {
  const age = now - step;
  return EVER * ever + Math.log1p(short * SHORT_LEFT.after(age)) + Math.log1p(long * LONG_LEFT.after(age));
}
