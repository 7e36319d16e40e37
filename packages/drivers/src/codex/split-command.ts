/**
 * The pipelines of a shell script, each a list of commands, each a list of words. Nothing where the script does more than
 * plain words, quotes, `|`, `;`, `&&` and `||` can say.
 */
export function splitCommand(script: string): readonly (readonly (readonly string[])[])[] {
  if (script.length > LONGEST) return [];
  const pipelines: string[][][] = [[[]]];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) pipelines.at(-1)?.at(-1)?.push(word);
    word = undefined;
  };
  for (const [token] of script.matchAll(TOKEN)) {
    if (TOO_MUCH.test(token)) return [];
    if (/^[;&|\n]/.test(token)) {
      endWord();
      if (token === '|') pipelines.at(-1)?.push([]);
      else pipelines.push([[]]);
    } else if (/^\s/.test(token)) endWord();
    else if (!/^2>/.test(token)) word = (word ?? '') + plain(token);
  }
  endWord();
  return pipelines.filter((pipeline) => pipeline.some((words) => words.length > 0));
}

const LONGEST = 2_000;
const TOKEN =
  /2>(?:&1|\/dev\/null)|&&|\|\||[;|&\n]|[^\S\n]+|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s;|&'"\\]+|['"\\]/g;
/** Redirections, substitutions, groups, an unclosed quote. In single quotes all of it is plain text. */
const TOO_MUCH = /^(?:['"\\]|&)$|^(?!')[\s\S]*(?:[<`]|\$[({\w])|^(?!['"]|2>)[\s\S]*[>(){}]/;

function plain(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (token.startsWith('"')) return token.slice(1, -1).replace(/\\(["\\$`])/g, '$1');
  return token.startsWith('\\') ? token.slice(1) : token;
}
