/** A text as TOML writes it. JSON's strings are TOML's, but for one character that must be escaped and halves of a pair. */
export const tomlString = (text: string): string =>
  JSON.stringify(Buffer.from(text).toString()).replaceAll('\u007f', '\\u007f');

export const tomlList = (texts: readonly string[]): string => `[${texts.map(tomlString).join(', ')}]`;
