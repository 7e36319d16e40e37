import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHost, createScreen, type TerminalHost } from '@devs/terminals';
import nodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';

const ROUNDS = 11;
const PRINTED_BYTES = 96 << 20;
const DRAWN_BYTES = 24 << 20;
const RELAY_BAR = 0.8;
const CHUNK_BYTES = 64 << 10;

/**
 * From a terminal to its viewer, compared with bare node-pty in the same process; and drawing, compared with bare
 * xterm.
 */
export async function compareThroughput(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-terminals-'));
  const file = join(folder, 'printed');
  writeFileSync(file, printed(PRINTED_BYTES));
  const { host } = await connectHost({ folder: join(folder, 'host'), graceMs: 100 });
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await throughBare(file),
      relayed: await throughHost(host, file, false),
      logged: await throughHost(host, file, true),
    });
  }
  host.close();
  rmSync(folder, { recursive: true, force: true });
  const bare = median(rounds.map((round) => round.bare));
  console.log(`bare node-pty                         ${bare.toFixed(0).padStart(4)} MB/s`);
  report('through the host', rounds, ({ relayed, bare: peer }) => [relayed, peer], RELAY_BAR);
  report('through the host, kept on disk', rounds, ({ logged, bare: peer }) => [logged, peer]);

  const text = Buffer.from(printed(DRAWN_BYTES));
  const drawn = [];
  for (let round = 0; round < ROUNDS; round++) drawn.push({ bare: await drawBare(text), ours: await drawOurs(text) });
  console.log(
    `\nbare @xterm/headless                  ${median(drawn.map((r) => r.bare))
      .toFixed(0)
      .padStart(4)} MB/s`,
  );
  report('the screen model', drawn, ({ ours, bare: peer }) => [ours, peer], RELAY_BAR);
}

function report<T>(name: string, rounds: readonly T[], pair: (round: T) => readonly [number, number], bar?: number) {
  const ours = median(rounds.map((round) => pair(round)[0]));
  const ratio = median(rounds.map((round) => pair(round)[0] / pair(round)[1]));
  const verdict = bar === undefined ? '' : `  (bar ${bar}×: ${ratio >= bar ? 'met' : 'NOT MET'})`;
  console.log(`${name.padEnd(37)} ${ours.toFixed(0).padStart(4)} MB/s  ${ratio.toFixed(2)}×${verdict}`);
}

async function throughBare(file: string): Promise<number> {
  const started = performance.now();
  let bytes = 0;
  const child = nodePty.spawn('cat', [file], { cols: 80, rows: 24, encoding: null });
  child.onData((chunk) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => child.onExit(resolve));
  return rate(bytes, started);
}

/** Only what arrives counts. */
async function throughHost(host: TerminalHost, file: string, log: boolean): Promise<number> {
  const terminalId = randomUUID();
  const env = { PATH: process.env.PATH ?? '' };
  const started = performance.now();
  let bytes = 0;
  await host.spawn({ terminalId, file: 'cat', args: [file], cwd: '/', env, columns: 80, rows: 24, log });
  await new Promise<void>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      bytes += chunk.length;
    };
    host.watch({ terminalId, from: 0, onOutput, onExit: () => resolve() }).catch(reject);
  });
  const result = rate(bytes, started);
  await host.forget(terminalId);
  return result;
}

async function drawBare(text: Buffer): Promise<number> {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, scrollback: 1_000, allowProposedApi: true });
  const started = performance.now();
  for (const chunk of chunks(text)) await new Promise<void>((resolve) => terminal.write(chunk, resolve));
  return rate(text.length, started);
}

async function drawOurs(text: Buffer): Promise<number> {
  const screen = createScreen({ columns: 80, rows: 24 });
  const started = performance.now();
  for (const chunk of chunks(text)) await screen.write(chunk);
  return rate(text.length, started);
}

function* chunks(text: Buffer) {
  for (let at = 0; at < text.length; at += CHUNK_BYTES) yield text.subarray(at, at + CHUNK_BYTES);
}

const LINE =
  'const \u001b[32mresult\u001b[0m = await scan(\u001b[33m"the parser"\u001b[0m, { depth: 3 }); // ✓ naïve\n';
const printed = (bytes: number) => LINE.repeat(Math.ceil(bytes / Buffer.byteLength(LINE)));
const rate = (bytes: number, started: number) => bytes / 1e3 / (performance.now() - started);

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
