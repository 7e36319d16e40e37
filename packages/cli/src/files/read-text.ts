import { createReadStream } from 'node:fs';
import { CliError } from '../cli-error.js';

const MAX_MEGABYTES = 100;
const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024;

interface Surroundings {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly warn: (text: string) => void;
}

/** The text of a file, or of stdin where there is no path. Rejects with a `CliError` that says what to do. */
export async function readText(path: string | undefined, { stdin, warn }: Surroundings): Promise<string> {
  if (path === undefined && stdin.isTTY) warn('devs: reading from the keyboard; end with Ctrl-D on an empty line.');
  const name = path === undefined ? 'stdin' : `"${path}"`;
  const stream: AsyncIterable<Uint8Array> = path === undefined ? stdin : createReadStream(path);
  return decode(await readAll(stream, name), name);
}

async function readAll(stream: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw tooLarge(name);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof CliError ? error : unreadable(error as NodeJS.ErrnoException, name);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, name: string): string {
  try {
    // `stream` leaves out a character that the end of the text cut in two, as `head -c` does.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    throw new CliError(`${name} is not UTF-8 text. Convert it first, e.g. with \`iconv -f UTF-16 -t UTF-8\`.`);
  }
}

const tooLarge = (name: string) =>
  new CliError(
    `${name} is larger than ${MAX_MEGABYTES} MB. Give a part of it, e.g. its end with \`tail -c 50000000\`.`,
  );

/** The message for an unreadable file. */
export function unreadable(error: NodeJS.ErrnoException, name: string): CliError {
  const advice = ADVICE[error.code ?? ''];
  return new CliError(advice === undefined ? `cannot read ${name}: ${error.message}` : advice(name), { cause: error });
}

const missing = (name: string) => `there is no file ${name}. Check the path.`;

const ADVICE: Readonly<Record<string, (name: string) => string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: (name) => `${name} is a directory. Name a file in it.`,
  EACCES: (name) => `cannot read ${name}: permission denied. Check with \`ls -l\`.`,
};

/** The lines of a file, as they are needed: it may be larger than the memory. */
export async function* readLines(path: string): AsyncIterable<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = `${rest}${chunk as string}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : unreadable(error as NodeJS.ErrnoException, `"${path}"`);
  }
  if (rest !== '') yield rest;
}
