import { createReadStream } from 'node:fs';
import { unreadable } from './read-text.js';

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
