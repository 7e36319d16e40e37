import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltinStatus, builtinStatusFolder } from '@devs/agents';

export interface StatusFile {
  write(status: BuiltinStatus): void;
  remove(): void;
}

/** What this process says of itself while it runs, for whoever watches it. Replaced whole. */
export function createStatusFile(user: Parameters<typeof builtinStatusFolder>[0], pid: number): StatusFile {
  const folder = builtinStatusFolder(user);
  const path = join(folder, `${pid}.json`);
  return {
    write(status) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, JSON.stringify(status), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}
