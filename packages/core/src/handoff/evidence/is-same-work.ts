import { once } from '../ledger/once.js';
import { isCheckPart } from './checks.js';
import { type CommandPart, commandParts, coreOf } from './command-parts.js';

/** What a command is about, as far as it takes to compare it with others. */
export interface Work {
  readonly core: string;
  /** Where it leads itself; nothing where it stays. */
  readonly folder: string | undefined;
  readonly hasText: boolean;
  readonly parts: () => readonly Part[];
}

/** One of the commands in it. */
interface Part {
  readonly words: readonly string[];
  readonly isCheck: boolean;
  readonly plainWords: string;
}

export const workOf = (command: string): Work => ({
  core: coreOf(command),
  folder: /^\s*cd\s+(\S+)\s*(?:&&|;)/.exec(command)?.[1],
  hasText: command.includes('<<'),
  parts: once(() => commandParts(command).map(partOf)),
});

const partOf = ({ words }: CommandPart): Part => ({
  words,
  isCheck: isCheckPart(words),
  plainWords: plainWords(words),
});

/**
 * Whether a later command does what an earlier one was to do, so that its success puts the earlier failure right: the same
 * command, however much of its output is shown; a check of the same kind that covers as much or more.
 */
export function isSameWork(earlier: Work, later: Work): boolean {
  if (earlier.core === later.core) return earlier.folder === later.folder;
  if (haveDifferentFolders(earlier, later) || earlier.hasText) return false;
  const wanted = earlier.parts();
  return wanted.length > 0 && wanted.every((part) => later.parts().some((one) => isCovered(part, one)));
}

/** The folder stays from call to call, so only two that are named can differ. */
const haveDifferentFolders = ({ folder: here }: Work, { folder: there }: Work): boolean =>
  here !== undefined && there !== undefined && here !== there;

function isCovered(earlier: Part, later: Part): boolean {
  if (ONCE.some((words) => startsWith(earlier.words, words) && startsWith(later.words, words))) return true;
  if (!earlier.isCheck) return earlier.plainWords === later.plainWords;
  return earlier.words[0] === later.words[0] && later.isCheck && coversAll(earlier.words, later.words);
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
const plainWords = (words: readonly string[]): string =>
  words.filter((word) => !/^--?[A-Za-z][\w-]*$/.test(word)).join(' ');

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
