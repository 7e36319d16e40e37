import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './api-requests.js';

const ROUNDS = 15;

/** From typing `devs ls` to its end, next to a node that ends at once. */
export function compareCommand(): void {
  const devs = fileURLToPath(new URL('../../../packages/cli/bin/devs.mjs', import.meta.url));
  const home = mkdtempSync(join(tmpdir(), 'devs-bench-ls-'));
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') };
  if (spawnSync(process.execPath, [devs, 'ls'], { env, cwd: home, stdio: 'ignore' }).status !== 0) {
    console.log('devs ls                        not measured: this devs has no such command, or it did not work');
    rmSync(home, { recursive: true, force: true });
    return;
  }
  const time = (args: readonly string[]): number => {
    const started = performance.now();
    execFileSync(process.execPath, args, { env, cwd: home, stdio: 'ignore' });
    return performance.now() - started;
  };
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: time([devs, 'ls']), peer: time(['-e', '0']) }));
  const ratio = median(rounds.map(({ ours, peer }) => ours / peer));
  console.log(
    `bare node                      ${median(rounds.map(({ peer }) => peer))
      .toFixed(0)
      .padStart(5)} ms`,
  );
  console.log(
    `devs ls                        ${median(rounds.map(({ ours }) => ours))
      .toFixed(0)
      .padStart(5)} ms  ${ratio.toFixed(2)}×`,
  );
  spawnSync(process.execPath, [devs, 'down'], { env, cwd: home, stdio: 'ignore' });
  rmSync(home, { recursive: true, force: true });
}
