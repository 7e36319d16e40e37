import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectHost } from '@devs/terminals';

const COUNTS = [1, 50, 200];
const IDLE_MS = 5_000;
const TICK_MS = 10;
/** Fills the scrollback, then does nothing. */
const IDLE_AGENT = ['-c', 'seq -f "line %g of what an agent has printed so far" 1500; exec sleep 100000'];

interface Held {
  readonly megabytes: number;
  readonly cpuPercent: number;
}

/** Memory and idle CPU of those who hold terminals, without the agents themselves. */
export async function compareHolding(): Promise<void> {
  if (process.platform !== 'linux') return console.log('\nmemory and idle CPU: skipped, they are read from /proc');
  const hasTmux = spawnSync('tmux', ['-V']).status === 0;
  console.log(`\nholding terminals with a full scrollback${hasTmux ? '' : '; tmux: skipped, it is not installed'}\n`);
  for (const count of COUNTS) {
    const { host, both } = await holdInHost(count);
    print(`${count} in the host`, host);
    print(`${count} in the host, with screens in a client`, both);
    if (hasTmux) print(`${count} in tmux`, await holdInTmux(count));
  }
}

const print = (name: string, { megabytes, cpuPercent }: Held) =>
  console.log(`${name.padEnd(42)} ${megabytes.toFixed(0).padStart(5)} MB  ${cpuPercent.toFixed(2).padStart(6)} % CPU`);

async function holdInHost(count: number): Promise<{ host: Held; both: Held }> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-hold-'));
  const { host } = await connectHost({ folder, graceMs: 100 });
  const env = { PATH: process.env.PATH ?? '' };
  for (let number = 0; number < count; number++) {
    const size = { columns: 80, rows: 24 };
    await host.spawn({ terminalId: `t${number}`, file: 'sh', args: [...IDLE_AGENT], cwd: '/', env, ...size });
  }
  const program = fileURLToPath(new URL('./terminal-screens.js', import.meta.url));
  const client = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(client.stdout, 'data');
  const [alone, watching] = await Promise.all([measure(host.pid), measure(client.pid ?? 0)]);
  client.stdin.end();
  await once(client, 'exit');
  await Promise.all(Array.from({ length: count }, (_, number) => host.end(`t${number}`, { graceMs: 1_000 })));
  for (let number = 0; number < count; number++) await host.forget(`t${number}`);
  host.close();
  rmSync(folder, { recursive: true, force: true });
  const both = {
    megabytes: alone.megabytes + watching.megabytes,
    cpuPercent: alone.cpuPercent + watching.cpuPercent,
  };
  return { host: alone, both };
}

async function holdInTmux(count: number): Promise<Held> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-tmux-'));
  const tmux = (...args: string[]) =>
    spawnSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], { encoding: 'utf8' }).stdout.trim();
  tmux('new-session', '-d', '-x', '80', '-y', '24', 'sleep', '100000');
  tmux('set-option', '-g', 'history-limit', '1000');
  for (let number = 0; number < count; number++) tmux('new-window', '-d', 'sh', ...IDLE_AGENT);
  await pause(1_000);
  const held = await measure(Number(tmux('display-message', '-p', '#{pid}')));
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
  return held;
}

async function measure(pid: number): Promise<Held> {
  await pause(1_000); // what the start has cost is not idleness
  const before = ticksOf(pid);
  await pause(IDLE_MS);
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { megabytes: Number(kilobytes) / 1_024, cpuPercent: ((ticksOf(pid) - before) * TICK_MS * 100) / IDLE_MS };
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
