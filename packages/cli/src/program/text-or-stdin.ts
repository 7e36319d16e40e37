import type { Services } from '../compose.js';

/** The text of an option; `-` reads stdin, without its final line break. */
export async function textOrStdin(
  text: string | undefined,
  { readText }: Pick<Services, 'readText'>,
): Promise<string | undefined> {
  return text === '-' ? (await readText(undefined)).replace(/\r?\n$/, '') : text;
}
