import type { Console } from '../screen/console.js';

/** The text of an option; `-` reads stdin, without its final line break. */
export async function textOrStdin(
  text: string | undefined,
  { readText }: Pick<Console, 'readText'>,
): Promise<string | undefined> {
  return text === '-' ? (await readText(undefined)).replace(/\r?\n$/, '') : text;
}
