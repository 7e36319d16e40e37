import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { CliError } from '../cli-error.js';

/** Node has it from 22.15 on; before, files are packed with gzip. */
interface Zstd {
  createZstdCompress?(): Transform;
  createZstdDecompress?(): Transform;
}

const zstd: typeof zlib & Zstd = zlib;
const ZSTD = '.zst';

export const archiveEnding = (): string => (zstd.createZstdCompress === undefined ? 'jsonl.gz' : `jsonl${ZSTD}`);

const packerOf = (file: string): Transform =>
  (file.endsWith(ZSTD) ? zstd.createZstdCompress?.() : undefined) ?? zlib.createGzip();

function unpackerOf(file: string): Transform {
  if (!file.endsWith(ZSTD)) return zlib.createGunzip();
  const unpacker = zstd.createZstdDecompress?.();
  if (unpacker === undefined) throw new CliError(`this Node does not know zstd. Show it with: zstd -dc ${file}`);
  return unpacker;
}

/** Writes the lines packed, reads them again to see that all are there, and only then gives the file its name. */
export async function writeArchive(file: string, lines: AsyncIterable<string>): Promise<void> {
  const unfinished = `${file}.part`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(unfinished, 'w', 0o600);
  try {
    const written = await packTo(handle, file, lines);
    const kept = await countLines(unfinished, file);
    if (kept !== written)
      throw new CliError(`${unfinished} holds ${kept} of ${written} lines. Nothing was removed from the store.`);
    await rename(unfinished, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function packTo(handle: FileHandle, file: string, lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  async function* counted() {
    for await (const line of lines) {
      count++;
      yield `${line}\n`;
    }
  }
  await pipeline(Readable.from(counted()), packerOf(file), handle.createWriteStream({ flush: true }));
  return count;
}

async function countLines(path: string, file: string): Promise<number> {
  let count = 0;
  for await (const _ of readLines(path, file)) count++;
  return count;
}

/** The lines of an archive. `named` says how it is packed, where the path does not. */
export async function* readLines(path: string, named = path): AsyncGenerator<string> {
  const unpacked = unpackerOf(named);
  const flowing = pipeline(createReadStream(path), unpacked, { end: true });
  flowing.catch(() => {}); // the loop rejects with it
  let begun = '';
  for await (const chunk of unpacked.setEncoding('utf8')) {
    const lines = `${begun}${chunk}`.split('\n'); // and at no other line break, which a text may have
    begun = lines.pop() ?? '';
    yield* lines;
  }
  if (begun !== '') yield begun;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
