import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { PageFile } from '@devs/server';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.md': 'text/plain; charset=utf-8',
};

/** Files that are asked for by their names; every other path is a view of the one page. */
const FILES = /^\/(?:assets\/[\w.-]+|icon\.svg|manifest\.webmanifest|licenses\.md)$/;

/** The files of the page in a folder. */
export const readPageFile =
  (folder: string) =>
  async (path: string): Promise<PageFile | undefined> => {
    if (path.startsWith('/v1/')) return undefined;
    const file = FILES.test(path) ? join(folder, path) : join(folder, 'index.html');
    const bytes = await readFile(file).catch(() => undefined); // not built, or of another build
    return bytes && { bytes: new Uint8Array(bytes), type: TYPES[extname(file)] ?? 'application/octet-stream' };
  };
