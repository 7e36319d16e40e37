// What a hook and the commands cost an agent and its user: processor time of whole processes, above that of bare node.
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTranscriptWriter } from './lib/transcript.js';

const DEVS = fileURLToPath(new URL('../../packages/cli/bin/devs.mjs', import.meta.url));
const GROWN_BYTES = 120_000;
const ROUNDS = Number(process.env.DEVS_BENCH_ROUNDS ?? 5);

const folder = mkdtempSync(join(tmpdir(), 'devs-bench-hook-'));
const home = mkdtempSync(join(tmpdir(), 'devs-bench-home-'));
const usageFile = join(home, 'usage');
const transcript = join(folder, 'conversation.jsonl');
try {
  const [bare, parse] = [join(home, 'bare.mjs'), join(home, 'parse.mjs')];
  writeFileSync(bare, '');
  writeFileSync(parse, parseProgram());
  const best = createBest();
  measureStart(best, bare);
  for (const megabytes of [1, 4, 50]) measureSize(best, { megabytes, bare, parse });
  report(best);
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}

/** The least that any reader does: it reads a transcript and parses its lines. */
function parseProgram(): string {
  return "import { readFileSync } from 'node:fs';\nfor (const line of readFileSync(process.argv[2], 'utf8').split('\\n')) if (line !== '') JSON.parse(line);\n";
}

type Best = ReturnType<typeof createBest>;

function measureStart(best: Best, bare: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    best.add('bare', run([bare]));
    best.add('--version', run([DEVS, '--version']));
    best.add('--help', run([DEVS, '--help']));
    best.add('prompt', hook('UserPromptSubmit', `start-${round}`));
  }
}

interface Size {
  readonly megabytes: number;
  readonly bare: string;
  readonly parse: string;
}

/** In turns, so that other programs disturb all alike. */
function measureSize(best: Best, { megabytes, bare, parse }: Size): void {
  const original = join(home, `${megabytes}.jsonl`);
  writeFileSync(original, '');
  const writer = createTranscriptWriter(20_261_115);
  for (let bytes = 0; bytes < megabytes * 1e6; ) {
    const turn = writer.turn();
    appendFileSync(original, turn);
    bytes += turn.length;
  }
  for (let round = 0; round < ROUNDS; round++) {
    copyFileSync(original, transcript);
    const name = `${megabytes} MB`;
    best.add('bare', run([bare]));
    best.add(`${name} parse`, run([parse, transcript]));
    best.add(`${name} handoff`, run([DEVS, 'handoff', '--transcript', transcript]));
    best.add(`${name} cold`, hook('SessionStart', `cold-${megabytes}-${round}`));
    const conversation = `kept-${megabytes}-${round}`;
    hook('Stop', conversation);
    best.add(`${name} warm`, hook('SessionStart', conversation));
    for (let grown = 0; grown < GROWN_BYTES; ) {
      const turn = writer.turn();
      appendFileSync(transcript, turn);
      grown += turn.length;
    }
    best.add(`${name} grown`, hook('SessionStart', conversation));
  }
}

function hook(event: string, conversation: string): number {
  const input = JSON.stringify({
    hook_event_name: event,
    session_id: conversation,
    transcript_path: transcript,
    cwd: folder,
    source: 'compact',
  });
  return run([DEVS, 'hook', 'claude-code'], input);
}

/** Milliseconds of the processor that a process took, with all its threads. */
function run(args: readonly string[], input = ''): number {
  const noteUsage = `import { writeFileSync } from 'node:fs'; process.on('exit', () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.cpuUsage())));`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(noteUsage)}`, ...args],
    { cwd: folder, input, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home, USAGE_FILE: usageFile } },
  );
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  const { user, system } = JSON.parse(readFileSync(usageFile, 'utf8')) as NodeJS.CpuUsage;
  return (user + system) / 1_000;
}

/** The least of several: what other programs took from the caches is not ours. */
function createBest() {
  const best = new Map<string, number>();
  return {
    add: (name: string, ms: number) => void best.set(name, Math.min(ms, best.get(name) ?? ms)),
    of: (name: string) => best.get(name) ?? Number.NaN,
  };
}

function report(best: Best): void {
  const bare = best.of('bare');
  const above = (name: string, bar?: number) => {
    const ms = best.of(name) - bare;
    const verdict = bar === undefined ? '' : ` (bar: at most ${bar}: ${ms <= bar ? 'met' : 'NOT MET'})`;
    console.log(`${name.padEnd(14)} ${ms.toFixed(0).padStart(5)} ms, ${(best.of(name) / bare).toFixed(1)}×${verdict}`);
  };
  console.log(`processor time above bare node (${bare.toFixed(0)} ms), and the whole as a multiple of it\n`);
  above('--version');
  above('--help');
  above('prompt', 30);
  for (const megabytes of [1, 4, 50]) {
    const name = `${megabytes} MB`;
    above(`${name} handoff`, megabytes === 1 ? 150 : undefined);
    above(`${name} cold`);
    above(`${name} warm`, 150);
    above(`${name} grown`, 150);
    const ratio = best.of(`${name} handoff`) / best.of(`${name} parse`);
    const bar = megabytes === 1 ? '' : ` (bar: at most 2×: ${ratio <= 2 ? 'met' : 'NOT MET'})`;
    console.log(`${`${name} handoff`.padEnd(14)} ${ratio.toFixed(1)}× the process that only parses${bar}`);
  }
}
