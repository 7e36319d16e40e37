import type { Services } from '../compose.js';

/** The text of an option; `-` stands for what comes in on stdin, without the line break at its end. */
export async function textOrStdin(
  text: string | undefined,
  { readText }: Pick<Services, 'readText'>,
): Promise<string | undefined> {
  return text === '-' ? (await readText(undefined)).replace(/\r?\n$/, '') : text;
}
