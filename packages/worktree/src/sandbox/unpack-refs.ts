import { link, lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Gives every packed ref below a prefix a file of its own, with the value that it has: what has no file cannot be guarded, and
 * a command could make one that counts before the packed value. Keeps to git's own locks.
 */
export async function unpackRefs(common: string, prefix: string, except: string): Promise<void> {
  const packed = await readFile(join(common, 'packed-refs'), 'utf8').catch(() => '');
  for (const line of packed.split('\n')) {
    const [, value, name] = /^([0-9a-f]{40,64}) (\S+)$/.exec(line) ?? [];
    if (value === undefined || name === undefined || name === except) continue;
    if (name.startsWith(prefix) && !name.split('/').includes('..')) await unpackRef(join(common, name), value);
  }
}

async function unpackRef(file: string, value: string): Promise<void> {
  if (await isThere(file)) return;
  const lock = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(lock, 'wx', 0o644).catch(() => undefined);
  if (handle === undefined) return; // git is at it, and makes the file
  try {
    await handle.writeFile(`${value}\n`);
    await handle.close();
    await link(lock, file).catch(() => {}); // never in the place of one that has come meanwhile
  } finally {
    await rm(lock, { force: true });
  }
}

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );
