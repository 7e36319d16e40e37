/** @typedef {{ file: string, line: number, words: string[] }} DocumentedCommand */

/** A word of a command line: in double quotes, in single quotes, or bare. */
const WORD = /"([^"]*)"|'([^']*)'|(\S+)/g;

/**
 * Every command in the `sh` blocks of a page, as words, without its comment.
 *
 * @param {string} file
 * @param {string} text
 * @returns {DocumentedCommand[]}
 */
export function documentedCommands(file, text) {
  let inShell = false;
  return text.split('\n').flatMap((line, index) => {
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence !== null) {
      inShell = !inShell && fence[1] === 'sh';
      return [];
    }
    const words = inShell ? wordsOf(line) : [];
    return words.length === 0 ? [] : [{ file, line: index + 1, words }];
  });
}

/** @param {string} line */
function wordsOf(line) {
  const command = line.replace(/(^|\s)#.*$/, '').trim();
  return [...command.matchAll(WORD)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

/**
 * The arguments that a command gives to a program, `npx` in front of it or not; nothing where it starts another one.
 *
 * @param {DocumentedCommand} command
 * @param {string} program
 * @returns {string[] | undefined}
 */
export function argumentsOf({ words }, program) {
  const [first, ...rest] = words[0] === 'npx' ? words.slice(1) : words;
  return first === program ? rest : undefined;
}

/**
 * The options among arguments: `--queue`, and `--lease` of `--lease=2h`.
 *
 * @param {readonly string[]} args
 */
export function optionsAmong(args) {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return own.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split('=')[0] ?? word);
}
