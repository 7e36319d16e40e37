/** An argument list as one line for a shell, for programs that run their hooks by one. Nothing in a word means anything. */
export const shellWords = (words: readonly string[]): string => words.map(quote).join(' ');

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
