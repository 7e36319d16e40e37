import { link, lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Gives every packed ref below a prefix its own file with the same value: without a file it cannot be guarded, and a
 * command could create a file that overrides the packed value. Respects git's own locks.
 */
export async function unpackRefs(common: string, prefix: string, except: string): Promise<void> {
  for (const name of (await readPacked(common)).keys()) {
    if (name === except || !name.startsWith(prefix) || name.split('/').includes('..')) continue;
    await unpackRef(common, name);
  }
}

async function readPacked(common: string): Promise<ReadonlyMap<string, string>> {
  const packed = await readFile(join(common, 'packed-refs'), 'utf8').catch(() => '');
  return new Map([...packed.matchAll(/^([0-9a-f]{40,64}) (\S+)$/gm)].map(([, value = '', name = '']) => [name, value]));
}

async function unpackRef(common: string, name: string): Promise<void> {
  const file = join(common, name);
  if (await isThere(file)) return;
  const lock = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(lock, 'wx', 0o644).catch(() => undefined);
  if (handle === undefined) return; // git is at it, and makes the file
  try {
    // Only under the lock it cannot move: it may have been moved, packed again or deleted since it was found.
    const value = (await readPacked(common)).get(name);
    if (value !== undefined) await handle.writeFile(`${value}\n`);
    await handle.close();
    if (value !== undefined) await link(lock, file).catch(() => {}); // never overwrites a newer file
  } finally {
    await rm(lock, { force: true });
  }
}

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );
