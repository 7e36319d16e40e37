/**
 * The text as a full-text index should see it: names such as `parseJsonValue` are split where their words begin.
 * The index itself splits at everything that is neither a letter nor a digit.
 */
export const splitNames = (text: string): string =>
  text.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');

/** The words of a text in lower case: `parseJson.ts` holds `parse`, `json` and `ts`. */
export const wordsIn = (text: string): readonly string[] =>
  splitNames(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The text between two spaces of a query. */
export interface RecallTerm {
  /** As typed. */
  readonly text: string;
  /** Adjacent words; the last may be the beginning of a longer word. */
  readonly words: readonly string[];
}

export type RecallQuery = readonly RecallTerm[];

const MAX_TERMS = 16;

/** `Store.open src/main.ts` has two terms: `store open` and `src main ts`. What holds no word is left out. */
export const parseRecallQuery = (text: string): RecallQuery =>
  text
    .split(/\s+/)
    .map((term) => ({ text: term, words: wordsIn(term) }))
    .filter(({ words }) => words.length > 0)
    .slice(0, MAX_TERMS);

/**
 * The query in the language of SQLite's FTS5. Words hold letters and digits only, so none of them is an operator. The last word
 * of a term may be the beginning of a longer one, unless whole words are wanted.
 */
export const toFtsQuery = (
  query: RecallQuery,
  join: 'AND' | 'OR',
  words: 'beginnings' | 'whole words' = 'beginnings',
): string => query.map(({ words: all }) => `"${all.join(' ')}"${words === 'beginnings' ? '*' : ''}`).join(` ${join} `);
