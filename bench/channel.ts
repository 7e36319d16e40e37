// From a prompt to the request at the model: over a channel of devs, next to the bare CLI in the same mode, and next to typing. With real
// agents, which `pnpm test:agents` installs, and a scripted model on loopback.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bareClaude, bareCodex } from './lib/channel-bare.js';
import { driveClaude, driveCodex } from './lib/channel-driven.js';
import { closeAll, openPlace, type Prompted } from './lib/channel-place.js';

const ROUNDS = 12;
const BAR = 1.2;

const cache = process.env.DEVS_AGENTS_CACHE || join(homedir(), '.cache', 'devs-agents');
const CLAUDE =
  process.env.DEVS_CLAUDE_CODE ??
  join(cache, `claude-code@2.1.325/node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);
const CODEX = process.env.DEVS_CODEX ?? join(cache, 'codex@0.166.0/node_modules/@openai/codex/bin/codex.js');

await compare('Claude Code, stream-json', CLAUDE, bareClaude, driveClaude);
await compare('Codex, app server', CODEX, bareCodex, driveCodex);

async function compare(
  name: string,
  program: string,
  bare: typeof bareClaude,
  drive: typeof driveClaude,
): Promise<void> {
  if (!existsSync(program)) return console.log(`\n${name}: not installed; \`pnpm test:agents\` installs it.`);
  const place = await openPlace();
  try {
    const ways: readonly (readonly [string, Prompted])[] = [
      ['the bare CLI in the same mode', await bare(place, program)],
      ['the channel of devs', await drive(place, program, 'stream')],
      ['typing', await drive(place, program, 'terminal')],
    ];
    const times = new Map<string, number[]>(ways.map(([way]) => [way, []]));
    for (let round = 0; round < ROUNDS + 1; round++) {
      for (const [way, prompt] of ways) {
        const took = await place.timed(prompt, `${way} ${round}`);
        if (round > 0) times.get(way)?.push(took); // the first prompt of a process reads files
      }
    }
    report(name, times);
  } finally {
    await closeAll(place);
  }
}

function report(name: string, times: ReadonlyMap<string, readonly number[]>): void {
  console.log(`\n${name}: from the prompt to the request at the model, ${ROUNDS} rounds in turns\n`);
  const [bare = 0, channel = 0, typing = 0] = [...times.values()].map(median);
  for (const [way, all] of times)
    console.log(
      `${way.padEnd(32)} median ${median(all).toFixed(0).padStart(5)} ms, best ${Math.min(...all).toFixed(0)} ms`,
    );
  const ratio = channel / bare;
  const verdict = ratio <= BAR ? 'met' : 'NOT MET';
  console.log(
    `channel to bare ${ratio.toFixed(2)}× (bar ${BAR}×: ${verdict}), typing to channel ${(typing / channel).toFixed(2)}×`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
