import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

export type ProjectFile =
  | { readonly status: 'read'; readonly text: string }
  | { readonly status: 'missing' }
  /** `why`: for people, such as `it leads out of the project`. */
  | { readonly status: 'refused'; readonly why: string };

const MEGABYTE = 1 << 20;

/**
 * The text of a file that a repository may have brought: a regular file inside the project, not too large, or nothing. A link
 * could lead to a private key, or to a device that never ends.
 */
export function readProjectFile(root: string, path: string, mostBytes: number = MEGABYTE): ProjectFile {
  const file = resolve(root, path);
  let handle: number | undefined;
  try {
    const refused = whyNot(root, file, mostBytes);
    if (refused !== undefined) return { status: 'refused', why: refused };
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // a pipe would wait for its writer
    const found = fstatSync(handle);
    // An agent may replace the file while it is being opened.
    if (
      !found.isFile() ||
      whyNot(root, file, mostBytes) !== undefined ||
      !isSameFile(found, statSync(realpathSync(file)))
    )
      return { status: 'refused', why: 'it changed while it was opened' };
    return readBounded(handle, Math.min(found.size, mostBytes));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' };
    return { status: 'refused', why: code === 'ELOOP' ? 'it is a link to itself' : message };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Throws where there is nothing. */
function whyNot(root: string, file: string, mostBytes: number): string | undefined {
  if (!realpathSync(file).startsWith(join(realpathSync(root), sep))) return 'it leads out of the project';
  const found = statSync(file);
  if (!found.isFile()) return 'it is not a regular file';
  return found.size > mostBytes ? tooLarge(mostBytes) : undefined;
}

const isSameFile = (one: { dev: number; ino: number }, other: { dev: number; ino: number }): boolean =>
  one.dev === other.dev && one.ino === other.ino;

const tooLarge = (mostBytes: number) => `it is larger than ${Math.round(mostBytes / MEGABYTE)} MB`;

/** A file that grows meanwhile is read as far as it was seen. */
function readBounded(handle: number, size: number): ProjectFile {
  const buffer = Buffer.alloc(size);
  let bytes = 0;
  for (;;) {
    const read = bytes === size ? 0 : readSync(handle, buffer, bytes, size - bytes, null);
    bytes += read;
    if (read === 0) return { status: 'read', text: buffer.toString('utf8', 0, bytes) };
  }
}
