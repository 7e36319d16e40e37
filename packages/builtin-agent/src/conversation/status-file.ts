import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltinStatus, builtinStatusFolder } from '@devs/drivers';

export interface StatusFile {
  write(status: BuiltinStatus): void;
  remove(): void;
}

/** Status of this process while it runs, for its supervisor. Replaced atomically. */
export function createStatusFile(user: Parameters<typeof builtinStatusFolder>[0], pid: number): StatusFile {
  const folder = builtinStatusFolder(user);
  const path = join(folder, `${pid}.json`);
  removeLeftovers(folder);
  return {
    write(status) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, JSON.stringify(status), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** Those of agents that were killed would pile up. */
function removeLeftovers(folder: string): void {
  for (const name of listed(folder)) {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(folder, name), { force: true });
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no agent has run yet
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
