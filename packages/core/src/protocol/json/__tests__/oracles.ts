import { Tokenizer, TokenType } from '@streamparser/json';

/**
 * Where `@streamparser/json` saw its last token end, for every length of `text`. A number counts once the character
 * behind it has been seen, as for us.
 */
export function lastTokenEnds(text: string): number[] {
  const ends = [0];
  let written = 0;
  let lastEnd = 0;
  const tokenizer = new Tokenizer();
  tokenizer.onToken = ({ token }) => {
    // Numbers are reported with the character that ends them, everything else with its own last character.
    lastEnd = token === TokenType.NUMBER ? written : written + 1;
  };
  for (const character of text) {
    tokenizer.write(character);
    for (let unit = 0; unit < character.length; unit++) ends.push(lastEnd);
    written += character.length;
  }
  return ends;
}

/** What V8 itself says of a text: its error is at the end of a text that was cut off, and before it otherwise. */
export function parserVerdict(text: string): 'complete' | 'cut' | 'malformed' {
  try {
    JSON.parse(text);
    return 'complete';
  } catch (error) {
    const { message } = error as SyntaxError;
    if (/Unexpected end of JSON input|Unterminated string/.test(message)) return 'cut';
    const position = /at position (\d+)/.exec(message)?.[1];
    return position !== undefined && Number(position) >= text.length ? 'cut' : 'malformed';
  }
}
