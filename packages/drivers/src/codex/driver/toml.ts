/**
 * A text as TOML writes it. JSON strings are valid TOML, except for one character that must be escaped and lone
 * surrogates.
 */
export const tomlString = (text: string): string =>
  JSON.stringify(Buffer.from(text).toString()).replaceAll('\u007f', '\\u007f');

export const tomlList = (texts: readonly string[]): string => `[${texts.map(tomlString).join(', ')}]`;
