// Whether a handoff is true: each line that claims something is looked up in the transcript that it was made from.
//
//   pnpm bench handoff-truth [folder] · DEVS_TRANSCRIPTS=folder · by default ../shared/continuity beside the repository
//
// Every transcript in the folder (.jsonl or .jsonl.gz) is cut where its agent compacted its context, and at its end.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { buildHandoff, type ConversationEvent, ledgerOf, renderHandoff } from '@devs/core';
import { detectSource } from '@devs/drivers';
import { judge, KINDS, type Verdict } from './lib/truth/judge.js';
import { witness } from './lib/truth/witness.js';

const BUDGETS = [12_000, 6_000];
const GOAL = 0.99;
const WHOLE = new Set(['request', 'task', 'path']);
const LISTED = 12;

const folder =
  process.argv[2] ??
  process.env.DEVS_TRANSCRIPTS ??
  fileURLToPath(new URL('../../../shared/continuity', import.meta.url));
if (existsSync(folder)) await measure(folder);
else console.log(`skipped: no transcripts in ${folder}. Name a folder of them: pnpm bench handoff-truth FOLDER`);

async function measure(place: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'devs-truth-'));
  try {
    const found: Found[] = [];
    for (const path of transcriptsIn(place)) found.push(...(await judgeTranscript(path, scratch)));
    const documents = new Set(found.map(({ document }) => document)).size;
    console.log(`${documents} documents of ${BUDGETS.join(' and ')} characters from ${place}\n`);
    printTable(found);
    printFalse(found);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Found extends Verdict {
  readonly document: string;
}

function transcriptsIn(place: string): readonly string[] {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => join(place, name));
}

async function judgeTranscript(path: string, scratch: string): Promise<readonly Found[]> {
  const plain = join(scratch, 'transcript.jsonl');
  const bytes = readFileSync(path);
  writeFileSync(plain, path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  const source = await detectSource(plain);
  if (source === undefined) {
    console.log(`skipped: no agent is known to write ${path}`);
    return [];
  }
  const events: ConversationEvent[] = [];
  await source.read({ path: plain, onEvents: (more) => events.push(...more) });
  const found: Found[] = [];
  for (const [nth, end] of endsOf(events).entries()) {
    const told = events.slice(0, end);
    const seen = witness(told);
    const id = seen.conversationId;
    const sources = { transcript: basename(path), resumeCommand: id === '' ? undefined : source.resumeCommand(id) };
    const document = buildHandoff(ledgerOf(told), sources);
    for (const chars of BUDGETS) {
      const name = `${basename(path).replace(/\.jsonl.*$/, '')} ${nth + 1} (${chars})`;
      for (const verdict of judge(renderHandoff(document, { chars }), seen)) found.push({ ...verdict, document: name });
    }
  }
  return found;
}

/** Where the agent compacted its context, and the end. */
function endsOf(events: readonly ConversationEvent[]): readonly number[] {
  const isCut = ({ type, from }: ConversationEvent) => type === 'context.compacted' && from.subAgent === undefined;
  return [...events.flatMap((event, at) => (isCut(event) ? [at] : [])), events.length];
}

function printTable(found: readonly Found[]): void {
  const rows = KINDS.map((kind) => {
    const all = found.filter((one) => one.kind === kind);
    const isTrue = all.filter(({ fault }) => fault === undefined).length;
    const share = all.length === 0 ? 1 : isTrue / all.length;
    const isMet = share >= (WHOLE.has(kind) ? 1 : GOAL);
    return {
      kind,
      lines: all.length,
      true: isTrue,
      share: `${(100 * share).toFixed(1)} %`,
      goal: isMet ? 'met' : 'NOT MET',
    };
  });
  console.table(Object.fromEntries(rows.map(({ kind, ...row }) => [kind, row])));
}

function printFalse(found: readonly Found[]): void {
  const isLong = process.env.DEVS_TRUTH_ALL !== undefined;
  for (const kind of KINDS) {
    const wrong = found.filter((one) => one.kind === kind && one.fault !== undefined);
    if (wrong.length === 0) continue;
    console.log(`\nfalse: ${kind}`);
    for (const { document, said, fault } of wrong.slice(0, isLong ? undefined : LISTED))
      console.log(`  ${document}: ${fault}: ${said.replace(/\s+/g, ' ').slice(0, 160)}`);
    if (!isLong && wrong.length > LISTED)
      console.log(`  and ${wrong.length - LISTED} more (DEVS_TRUTH_ALL=1 lists all)`);
  }
}
