import { worthsOf } from '../document/worths-of.js';
import type { Ledger } from '../ledger/ledger.js';
import { safeText } from '../safe-text.js';
import { plainText } from './tells.js';

export const KNOWN_KINDS = ['request', 'task', 'file', 'command', 'name'] as const;

export type KnownKind = (typeof KNOWN_KINDS)[number];

export interface KnownThing {
  readonly kind: KnownKind;
  readonly text: string;
}

export interface KnowledgeComparison {
  /** What the conversation knew, by kind. */
  readonly known: Readonly<Record<KnownKind, number>>;
  /** Of that, what the next conversation will not know. The newest and likeliest first. */
  readonly lost: readonly KnownThing[];
  /** Missing where the agent never compacted its context. */
  readonly summary?: SummaryComparison;
}

/** Of what was known when the agent's own model wrote its summary, and not touched since. */
interface SummaryComparison {
  readonly known: number;
  /** In the handoff, and not in the summary. */
  readonly onlyHandoff: readonly KnownThing[];
  readonly onlySummary: readonly KnownThing[];
  readonly neither: readonly KnownThing[];
}

/** What a handoff's text holds of what the conversation knew, and what the agent's own summary held of it. */
export function compareKnowledge(ledger: Ledger, handoff: string): KnowledgeComparison {
  const things = thingsIn(ledger);
  const inHandoff = holderOf(handoff);
  const counts = KNOWN_KINDS.map((kind) => [kind, things.filter((thing) => thing.kind === kind).length]);
  return {
    known: Object.fromEntries(counts) as Record<KnownKind, number>,
    lost: things.filter((thing) => !inHandoff(thing)).map(asThing),
    ...(ledger.summary === undefined
      ? {}
      : { summary: compareSummary(things, inHandoff, { text: ledger.summary.text, step: ledger.summary.step }) }),
  };
}

type Dated = KnownThing & { readonly step: number };
type Holds = (thing: KnownThing) => boolean;

function compareSummary(
  things: readonly Dated[],
  inHandoff: Holds,
  summary: { readonly text: string; readonly step: number },
): SummaryComparison {
  const before = things.filter(({ step }) => step < summary.step);
  const inSummary = holderOf(summary.text);
  const which = (handoff: boolean, own: boolean) =>
    before.filter((thing) => inHandoff(thing) === handoff && inSummary(thing) === own).map(asThing);
  return {
    known: before.length,
    onlyHandoff: which(true, false),
    onlySummary: which(false, true),
    neither: which(false, false),
  };
}

const asThing = ({ kind, text }: Dated): KnownThing => ({ kind, text });

function thingsIn(ledger: Ledger): readonly Dated[] {
  const { requests, tasks, files, commands, mentions } = ledger;
  const paths = new Set(files.keys());
  return [
    ...[...requests].reverse().map(({ text, step }) => thing('request', text, step)),
    ...[...tasks.values()].filter(({ status }) => status !== 'deleted').map(({ title }) => thing('task', title, 0)),
    ...[...files.values()].reverse().map(({ path, step }) => thing('file', path, step)),
    ...[...commands.values()].reverse().map(({ command, step }) => thing('command', command, step)),
    ...Object.keys(worthsOf(ledger))
      .slice(0, MAX_NAMES)
      .filter((name) => !paths.has(name))
      .map((name) => thing('name', name, mentions.get(name)?.step ?? ledger.step)),
  ];
}

/** The likeliest to be needed again. */
const MAX_NAMES = 200;

const thing = (kind: KnownKind, text: string, step: number): Dated => ({ kind, text: safeText(text), step });

/** A long text is held where its beginning is. */
function holderOf(text: string): Holds {
  const plain = plainText(text);
  return (thing) => plain.includes(plainText(thing.text).slice(0, ENOUGH));
}

const ENOUGH = 100;
