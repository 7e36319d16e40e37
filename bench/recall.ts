// Whether `devs recall` finds what an agent needs after a compaction, and what a search costs.
//
//   pnpm bench recall [folder] · DEVS_TRANSCRIPTS=folder · by default ../shared/continuity beside the repository
//
// Each needed name is searched for by a query made without knowing it whole: the last part of a path, the first word of an
// identifier. It is found where one of the first ten results shows it.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseResults, createPassageReader, type Passage, parseRecallQuery, splitNames } from '@devs/core';
import { detectSource } from '@devs/drivers';
import { openRecallIndex, type RecallIndex } from '@devs/store';
import { type Compaction, compactionsIn, momentsAt } from './lib/needed-tokens.js';

const RESULTS = 10;
const CANDIDATES = 1_000;
const GOAL = 0.99;

const folder =
  process.argv[2] ??
  process.env.DEVS_TRANSCRIPTS ??
  fileURLToPath(new URL('../../../shared/continuity', import.meta.url));
if (existsSync(folder)) await measure(folder);
else console.log(`skipped: no transcripts in ${folder}. Name a folder of them: pnpm bench recall FOLDER`);

async function measure(place: string): Promise<void> {
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.jsonl(?:\.gz)?$/.test(name),
  );
  const at = (momentsIn: typeof compactionsIn) =>
    files.sort().flatMap((name) => momentsIn(join(place, name)).map((one) => ({ ...one, name })));
  await measureAt(at(compactionsIn), 'after real compactions');
  await measureAt(at(momentsAt([1 / 3, 2 / 3])), 'at other moments');
  // Misses there are not printed, so that no change is tuned to them.
  await measureAt(at(momentsAt([1 / 6, 1 / 2, 5 / 6])), 'at moments that are held out', 'counts alone');
}

async function measureAt(
  found: readonly (Compaction & { readonly name: string })[],
  where: string,
  printed: 'misses' | 'counts alone' = 'misses',
): Promise<void> {
  console.log(`${where}:`);
  const scratch = mkdtempSync(join(tmpdir(), 'devs-recall-'));
  try {
    const alone = createTally();
    for (const [nth, compaction] of found.entries()) {
      const index = openRecallIndex(join(scratch, `${nth}.db`), Date.now);
      await add(index, join(scratch, `${nth}.jsonl`), compaction);
      searchAll(index, compaction, alone);
      index.close();
    }
    const together = createTally();
    for (const project of new Set(found.map(projectOf))) {
      const index = openRecallIndex(join(scratch, `${project}.db`), Date.now);
      // In the order in which they happened: an index never holds what comes later.
      const ours = found.filter((one) => projectOf(one) === project).sort((a, b) => a.at.localeCompare(b.at));
      for (const compaction of ours) {
        await add(index, join(scratch, `${basename(compaction.name)}.jsonl`), compaction);
        searchAll(index, compaction, together);
      }
      index.close();
    }
    report('one conversation', alone, printed);
    report('all conversations of a project', together, printed);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Transcripts are named after their repository. */
function projectOf({ name }: { readonly name: string }): string {
  return basename(name).replace(/-[0-9a-f]+\.jsonl.*$/, '');
}

interface Tally {
  needed: number;
  found: number;
  searchMs: number;
  readonly missed: string[];
}

function createTally(): Tally {
  return { needed: 0, found: 0, searchMs: 0, missed: [] };
}

async function add(index: RecallIndex, path: string, { before }: Compaction): Promise<void> {
  writeFileSync(path, before);
  const source = await detectSource(path);
  if (source === undefined) throw new Error(`no agent is known to write ${path}`);
  const passages: Passage[] = [];
  const readPassages = createPassageReader();
  const { kept } = await source.read({
    path,
    onEvents: (events) => {
      for (const event of events) passages.push(...readPassages(event));
    },
  });
  // Whole each time: a later moment of a conversation replaces its earlier one.
  await index.add({ path, agent: source.agent, modifiedMs: 0, kept, startedOver: true, passages });
}

function searchAll(index: RecallIndex, { needed, strip }: Compaction, tally: Tally): void {
  for (const token of needed) {
    const typed = queryFor(token);
    const query = parseRecallQuery(typed);
    const started = process.cpuUsage();
    const results = chooseResults(index.search(query, CANDIDATES), query, RESULTS, ({ transcript }) => transcript);
    const { user, system } = process.cpuUsage(started);
    tally.searchMs += (user + system) / 1_000;
    tally.needed++;
    const shown = strip(results.map(({ excerpt, also }) => `${excerpt}\n${also.join('\n')}`).join('\n'));
    if (shown.includes(token)) tally.found++;
    else tally.missed.push(`${typed} → ${token}`);
  }
}

/** Never the whole token. */
function queryFor(token: string): string {
  if (token.includes('/')) return token.slice(token.lastIndexOf('/') + 1);
  return splitNames(token).match(/[A-Za-z0-9]+/)?.[0] ?? '';
}

function report(what: string, { needed, found, searchMs, missed }: Tally, printed: 'misses' | 'counts alone'): void {
  const share = found / needed;
  console.log(
    `${what}: ${found} of ${needed} needed names within ${RESULTS} results (${(100 * share).toFixed(1)} %, goal ${100 * GOAL} %: ${share >= GOAL ? 'met' : 'missed'}), ${(searchMs / needed).toFixed(1)} ms of processor time a search`,
  );
  if (printed === 'misses') for (const each of missed) console.log(`  missed: ${each}`);
}
