import { fileURLToPath } from 'node:url';
import { type McpClient, type McpCommand, startMcpClient, timeFirstAnswer } from './mcp-client.js';

const ROUNDS = 15;
const CALLS_PER_ROUND = 100;
/** Code is compiled, and the file that a database writes to first has its size. */
const WARMING_ROUNDS = 5;
const STARTS = 9;

export interface McpSubject extends McpCommand {
  readonly name: string;
  readonly tool: string;
  /** The arguments of the call with this number, counted from 0 over all rounds. */
  argumentsFor(index: number): object;
  /** How many times the round trip of the bare echo the median may take; nothing where it shows what the machine can do. */
  readonly bar?: number;
  /** What is done before each call and not measured. */
  prepare?(client: McpClient, index: number): Promise<void>;
}

const bareEcho: McpCommand = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./mcp-bare-echo.js', import.meta.url))],
};

/** Round trips of a tool next to an echo on the bare SDK, and the times from the start to the first answer. */
export async function compareToBareEcho(subject: McpSubject): Promise<void> {
  const rounds = await measureRounds(subject);
  const ratio = median(rounds.map(({ ours, peer }) => percentile(ours, 0.5) / percentile(peer, 0.5)));
  const all = { ours: rounds.flatMap(({ ours }) => ours), peer: rounds.flatMap(({ peer }) => peer) };
  const p99 = percentile(all.ours, 0.99) / percentile(all.peer, 0.99);
  print(
    subject.name,
    all.ours,
    subject.bar === undefined
      ? `${ratio.toFixed(2)}×`
      : `${ratio.toFixed(2)}×  bar ${subject.bar}×: ${ratio <= subject.bar ? 'met' : 'NOT MET'}`,
  );
  print('  echo on the bare SDK', all.peer, `(p99: ${p99.toFixed(2)}×)`);

  const starts = await measureStarts(subject);
  const started = { ours: median(starts.map(({ ours }) => ours)), peer: median(starts.map(({ peer }) => peer)) };
  const startRatio = median(starts.map(({ ours, peer }) => ours / peer));
  console.log(
    `  first answer after ${started.ours.toFixed(0)} ms, bare SDK ${started.peer.toFixed(0)} ms: ${startRatio.toFixed(2)}×\n`,
  );
}

interface Pair<T> {
  readonly ours: T;
  readonly peer: T;
}

async function measureRounds(subject: McpSubject): Promise<Pair<number[]>[]> {
  const [ours, peer] = [await startMcpClient(subject), await startMcpClient(bareEcho)];
  const rounds: Pair<number[]>[] = [];
  for (let round = 0; round < WARMING_ROUNDS + ROUNDS; round++) {
    // One after the other in short turns: a machine that is slow for a while is slow for both.
    rounds.push({
      ours: await timeCalls(async (call) => {
        const index = round * CALLS_PER_ROUND + call;
        await subject.prepare?.(ours, index);
        return ours.timeCall(subject.tool, subject.argumentsFor(index));
      }),
      peer: await timeCalls(() => peer.timeCall('echo', { text: 'the parser is done' })),
    });
  }
  await Promise.all([ours.close(), peer.close()]);
  return rounds.slice(WARMING_ROUNDS);
}

async function timeCalls(timeCall: (index: number) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < CALLS_PER_ROUND; index++) times.push(await timeCall(index));
  return times;
}

async function measureStarts(subject: McpSubject): Promise<Pair<number>[]> {
  const starts: Pair<number>[] = [];
  for (let start = 0; start < STARTS; start++) {
    starts.push({ ours: await timeFirstAnswer(subject), peer: await timeFirstAnswer(bareEcho) });
  }
  return starts;
}

function print(name: string, times: readonly number[], verdict: string): void {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => `${ms.toFixed(3)} ms`.padStart(10));
  console.log(name.padEnd(26), `p50 ${p50}  p99 ${p99}  ${verdict}`);
}

const median = (values: readonly number[]) => percentile(values, 0.5);

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;
}
