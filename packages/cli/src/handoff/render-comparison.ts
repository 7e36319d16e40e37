import { KNOWN_KINDS, type KnowledgeComparison, type KnownKind, type KnownThing } from '@devs/core';
import { clip } from '../screen/clip.js';
import type { Screen } from '../screen/screen.js';
import { count, grouped } from '../words.js';

/** What the next conversation will not know, and what the agent's own summary did not. */
export function renderComparison(comparison: KnowledgeComparison, screen: Screen): readonly string[] {
  const { known, lost, summary } = comparison;
  return [
    screen.palette.title('Not in the handoff, of what the conversation knew'),
    ...KNOWN_KINDS.filter((kind) => known[kind] > 0).flatMap((kind) =>
      list(kind, lost, screen, ` of ${grouped(known[kind])}`),
    ),
    '',
    ...(summary === undefined
      ? ['The agent has not compacted its context, so there is no summary of its own.']
      : [
          screen.palette.title("Against the agent's own summary at the last compaction"),
          `Of ${grouped(summary.known)} things that were known then and not touched since:`,
          ...listAll('only in the handoff', summary.onlyHandoff, screen),
          ...listAll('only in the summary', summary.onlySummary, screen),
          ...listAll('in neither', summary.neither, screen),
        ]),
  ];
}

function list(kind: KnownKind, things: readonly KnownThing[], screen: Screen, of: string): readonly string[] {
  const own = things.filter((thing) => thing.kind === kind);
  return [`  ${`${kind}s`.padEnd(10)}${grouped(own.length)}${of}`, ...examples(own, screen)];
}

function listAll(what: string, things: readonly KnownThing[], screen: Screen): readonly string[] {
  const kinds = KNOWN_KINDS.map((kind) => ({ kind, number: things.filter((thing) => thing.kind === kind).length }));
  const counts = kinds.filter(({ number }) => number > 0).map(({ kind, number }) => count(number, kind));
  return [`  ${what}: ${counts.length === 0 ? 'nothing' : counts.join(', ')}`, ...examples(things, screen)];
}

const examples = (things: readonly KnownThing[], { columns, palette }: Screen): readonly string[] => [
  ...things.slice(0, MAX_EXAMPLES).map(({ text }) => palette.quiet(`    ${clip(text, columns - 4)}`)),
  ...(things.length > MAX_EXAMPLES
    ? [palette.quiet(`    … and ${grouped(things.length - MAX_EXAMPLES)} more (--json)`)]
    : []),
];

const MAX_EXAMPLES = 5;
