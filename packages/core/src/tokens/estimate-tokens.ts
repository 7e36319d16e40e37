/**
 * About how many tokens a text costs, in one pass, without a tokenizer.
 *
 * Against o200k on this project's own texts: prose -5 %, code -8 to +3 %, JSON ±8 %, Chinese, Japanese and Russian
 * within 9 %. Hashes and terminal escapes cost up to 40 % more than it says. Characters / 4 is 13 to 68 % off on all but
 * prose and code.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index++) tokens += tokensOf(text.charCodeAt(index));
  return Math.ceil(tokens);
}

function tokensOf(code: number): number {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return 0.22; // letters
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return 0.1; // white space
  if (code >= 0x30 && code <= 0x39) return 0.7; // digits
  if (code < 0x80) return 0.6; // punctuation and controls
  return code < 0x2e80 ? 0.27 : 0.72; // other alphabets; ideographs, kana, half of an emoji
}
