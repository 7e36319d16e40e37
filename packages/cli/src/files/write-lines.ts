import { open, rm } from 'node:fs/promises';
import { CliError } from '../cli-error.js';

/** Writes each line as it comes, to a new file for the user alone, or where there is no path to the stream. */
export async function writeLines<Result>(
  path: string | undefined,
  lines: AsyncGenerator<string, Result>,
  stdout: NodeJS.WritableStream,
): Promise<Result> {
  if (path === undefined) return writeTo((text) => written(stdout, text), lines);
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(unwritable(path, error), { cause: error });
  });
  try {
    const result = await writeTo(async (text) => void (await file.write(text)), lines);
    await file.sync();
    return result;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const ENOUGH_CHARS = 64 * 1024;

async function writeTo<Result>(
  write: (text: string) => Promise<void>,
  lines: AsyncGenerator<string, Result>,
): Promise<Result> {
  let waiting = '';
  while (true) {
    const { done, value } = await lines.next();
    if (!done) waiting += `${value}\n`;
    if (done || waiting.length >= ENOUGH_CHARS) {
      await write(waiting);
      waiting = '';
    }
    if (done) return value;
  }
}

const written = (stream: NodeJS.WritableStream, text: string) =>
  new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

const unwritable = (path: string, { code, message }: NodeJS.ErrnoException) =>
  code === 'EEXIST'
    ? `"${path}" already exists. Name another file.`
    : `cannot write "${path}": ${message}. Name another file.`;
