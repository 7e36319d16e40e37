import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { median, tokenOf } from './api-requests.js';
import { type ApiWorld, openApiWorld } from './api-world.js';

const VIEWERS = 200;
const ROUNDS = 5;
const TOTAL_BYTES = 2 << 20;
const CHUNK_BYTES = 8 << 10;
/** So much is printed ahead of the slowest viewer. */
const WINDOW_BYTES = 512 << 10;
const BAR = 0.8;
const CPU_BAR = 1.3;

interface Measured {
  /** Of all viewers together. */
  readonly megabytesPerSecond: number;
  readonly cpuMs: number;
}

/** What one terminal prints, to 200 viewers in another process, next to bare `ws` sending the same chunks. */
export async function compareBroadcast(): Promise<void> {
  const rounds: { ours: Measured; peer: Measured }[] = [];
  await throughServer(); // warm
  await throughBare();
  for (let round = 0; round < ROUNDS; round++) rounds.push({ ours: await throughServer(), peer: await throughBare() });
  const speed = median(rounds.map(({ ours, peer }) => ours.megabytesPerSecond / peer.megabytesPerSecond));
  const cpu = median(rounds.map(({ ours, peer }) => ours.cpuMs / peer.cpuMs));
  const show = (of: (round: (typeof rounds)[number]) => Measured) =>
    `${median(rounds.map((round) => of(round).megabytesPerSecond))
      .toFixed(0)
      .padStart(5)} MB/s  ${median(rounds.map((round) => of(round).cpuMs))
      .toFixed(0)
      .padStart(5)} ms of CPU`;
  console.log(`bare ws                        ${show(({ peer }) => peer)}`);
  console.log(`a terminal, drawn as well      ${show(({ ours }) => ours)}`);
  console.log(`${' '.repeat(31)}${speed.toFixed(2)}×  (bar ${BAR}×: ${speed >= BAR ? 'met' : 'NOT MET'})`);
  console.log(`${' '.repeat(31)}${cpu.toFixed(2)}× CPU  (bar ${CPU_BAR}×: ${cpu <= CPU_BAR ? 'met' : 'NOT MET'})`);
}

async function throughServer(): Promise<Measured> {
  const world: ApiWorld = await openApiWorld();
  try {
    const token = await tokenOf(world);
    return await measure({ socketPath: world.socketPath, token }, (bytes) => world.print('t0', bytes));
  } finally {
    await world.close();
  }
}

async function throughBare(): Promise<Measured> {
  const world = await openApiWorld();
  const socketPath = join(world.folder, 'bare.sock');
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  await new Promise<void>((resolve) => http.listen(socketPath, resolve));
  try {
    return await measure({ socketPath }, (bytes) => {
      for (const socket of server.clients) socket.send(bytes, { binary: true });
    });
  } finally {
    for (const socket of server.clients) socket.terminate();
    server.close();
    http.close();
    await world.close();
  }
}

async function measure(
  way: { readonly socketPath: string; readonly token?: string },
  print: (bytes: Buffer) => void,
): Promise<Measured> {
  const viewers = fork(fileURLToPath(new URL('./api-viewers.js', import.meta.url)), [
    JSON.stringify({ ...way, viewers: VIEWERS }),
  ]);
  await next(viewers, (message) => message.ready === true);
  const chunk = Buffer.from(
    `${'the parser is done, and its tests pass '.repeat(3)}\r\n`.repeat(200).slice(0, CHUNK_BYTES),
  );
  let printed = 0;
  let slowest = 0;
  let skipped = 0;
  let wake = () => {};
  viewers.on('message', (message: Told) => {
    slowest = message.slowest ?? slowest;
    skipped += message.skipped === true ? 1 : 0;
    wake();
  });
  const started = performance.now();
  const cpu = process.cpuUsage();
  while (slowest < TOTAL_BYTES) {
    while (printed < TOTAL_BYTES && printed - slowest < WINDOW_BYTES) {
      print(chunk);
      printed += chunk.length;
      await new Promise(setImmediate);
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - started) / 1_000;
  viewers.kill();
  if (skipped > 0) console.log(`${skipped} viewers were too slow and were skipped: the round counts for less`);
  return { megabytesPerSecond: (TOTAL_BYTES * VIEWERS) / (1 << 20) / seconds, cpuMs: (user + system) / 1_000 };
}

interface Told {
  readonly ready?: boolean;
  readonly slowest?: number;
  readonly skipped?: boolean;
}

const next = (child: ChildProcess, isIt: (message: Told) => boolean): Promise<void> =>
  new Promise((resolve) => child.on('message', (message: Told) => void (isIt(message) && resolve())));
