import { isCheckPart } from './checks.js';
import { commandParts, coreOf } from './command-parts.js';

/**
 * Whether a later command does what an earlier one was to do, so that its success puts the earlier failure right: the same
 * command, however much of its output is shown; a check of the same kind that covers as much or more.
 */
export function isSameWork(earlier: string, later: string): boolean {
  if (coreOf(earlier) === coreOf(later)) return folderOf(earlier) === folderOf(later);
  if (haveDifferentFolders(earlier, later) || earlier.includes('<<')) return false;
  const done = commandParts(later).map(({ words }) => words);
  const wanted = commandParts(earlier).map(({ words }) => words);
  return wanted.length > 0 && wanted.every((words) => done.some((one) => isCovered(words, one)));
}

/** Where a command leads itself; nothing where it stays. */
const folderOf = (command: string): string | undefined => /^\s*cd\s+(\S+)\s*(?:&&|;)/.exec(command)?.[1];

/** The folder stays from call to call, so only two that are named can differ. */
function haveDifferentFolders(earlier: string, later: string): boolean {
  const [here, there] = [folderOf(earlier), folderOf(later)];
  return here !== undefined && there !== undefined && here !== there;
}

function isCovered(earlier: readonly string[], later: readonly string[]): boolean {
  if (ONCE.some((words) => startsWith(earlier, words) && startsWith(later, words))) return true;
  if (!isCheckPart(earlier)) return plainWords(earlier).join(' ') === plainWords(later).join(' ');
  return earlier[0] === later[0] && isCheckPart(later) && coversAll(earlier, later);
}

/** Whatever words they are given, there is only one thing that they can have been about. */
const ONCE = [
  ['git', 'commit'],
  ['git', 'push'],
  ['gh', 'pr', 'create'],
];

const startsWith = (words: readonly string[], beginning: readonly string[]): boolean =>
  beginning.every((word, at) => words[at] === word);

/** Without options, as the value of an option is a word of its own. */
const plainWords = (words: readonly string[]): readonly string[] =>
  words.filter((word) => !/^--?[A-Za-z][\w-]*$/.test(word));

/** A check with fewer words checks more; one with other words something else, unless they name a folder around. */
function coversAll(earlier: readonly string[], later: readonly string[]): boolean {
  return later.every(
    (word) =>
      earlier.includes(word) ||
      REPORTING.test(word) ||
      EVERYTHING.test(word) ||
      earlier.some((one) => isWithin(one, word)),
  );
}

const REPORTING =
  /^(?:--|-[vqsx]+|-race|-count=\d+|--(?:verbose|quiet|silent|coverage|ci|run|runInBand|no-color|color|force|reporter|tb|no-cache|no-header|maxfail)(?:[=:].*)?)$/;
const EVERYTHING = /^(?:\.|\.\/|\.\/\.\.\.|--all|--workspace|\/\.\.\.)$/;

const isWithin = (path: string, around: string): boolean => {
  const place = around.replace(/(?:\/|\/\.\.\.)$/, '');
  return place !== '' && (path.startsWith(`${place}/`) || path.startsWith(`${place}::`));
};
