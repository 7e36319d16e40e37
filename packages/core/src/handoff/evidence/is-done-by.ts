import { once } from '../ledger/once.js';
import { relativePath } from '../relative-text.js';
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

export const workOf = (command: string, base?: string): Work => ({
  core: coreOf(command).replace(LEAD, ''),
  folder: folderOf(command, base),
  hasText: command.includes('<<'),
  parts: once(() => commandParts(command).map(partOf)),
});

const LEAD = /^\s*cd\s+(\S+)\s*(?:&&|;)\s*/;

/** The folder of the conversation itself is nowhere else. */
function folderOf(command: string, base: string | undefined): string | undefined {
  const folder = LEAD.exec(command)?.[1]?.replace(/\/$/, '');
  return folder === undefined || folder === base ? undefined : relativePath(folder, base);
}

const partOf = ({ words }: CommandPart): Part => ({
  words,
  isCheck: isCheckPart(words),
  plainWords: plainWords(words),
});

/**
 * Whether later commands, which went well, did what an earlier one was to do, so that its failure is put right: the same
 * command, however much of its output is shown; or each of its parts, by a check of the same kind that covers as much or more.
 */
export function isDoneBy(earlier: Work, later: readonly Work[]): boolean {
  if (later.some((one) => one.core === earlier.core && one.folder === earlier.folder)) return true;
  const wanted = workParts(earlier);
  if (wanted.length === 0 || (earlier.hasText && !wanted.every(isOnce))) return false;
  const done = later.filter((one) => !haveDifferentFolders(earlier, one)).flatMap((one) => one.parts());
  return wanted.every((part) => done.some((one) => isCovered(part, one)));
}

/** What only prepares the others, as `git add` does for `git commit`, is done with them. */
function workParts({ parts }: Work): readonly Part[] {
  const all = parts();
  const main = all.filter(({ words }) => !startsWith(words, ['git', 'add']));
  return main.length === 0 ? all : main;
}

const isOnce = ({ words }: Part): boolean => ONCE.some((beginning) => startsWith(words, beginning));

/** The folder stays from call to call, so only two that are named can differ. */
const haveDifferentFolders = ({ folder: here }: Work, { folder: there }: Work): boolean =>
  here !== undefined && there !== undefined && here !== there;

function isCovered(earlier: Part, later: Part): boolean {
  if (ONCE.some((words) => startsWith(earlier.words, words) && startsWith(later.words, words))) return true;
  if (!earlier.isCheck) return earlier.plainWords === later.plainWords;
  if (!later.isCheck) return false;
  if (earlier.words[0] !== later.words[0]) return isSameByAnotherName(earlier.words, later.words);
  return coversAll(earlier.words, later.words) || isCompiledBy(earlier.words, later.words);
}

/** `go vet` and `go test` compile what `go build` does. */
function isCompiledBy([program = '', verb = '', ...rest]: readonly string[], later: readonly string[]): boolean {
  const [, laterVerb = '', ...laterRest] = later;
  return (
    COMPILING.test(program) && verb === 'build' && /^(?:vet|clippy|test)$/.test(laterVerb) && coversAll(rest, laterRest)
  );
}

const COMPILING = /^(?:go|cargo|swift|dotnet|zig)$/;

/**
 * `make test` and `go test ./...` are the same check: one is called by its name in the project, the other by its program. Both
 * are of the same kind, and the later is about everything, or about the part that the earlier names, such as `integration`.
 */
function isSameByAnotherName(earlier: readonly string[], later: readonly string[]): boolean {
  const [here, there] = [named(earlier), named(later)];
  if (here.isRunner === there.isRunner || here.kind === undefined || there.kind === undefined) return false;
  const isKind =
    here.kind === there.kind || (here.kind === 'build' && there.kind === 'test' && COMPILING.test(earlier[0] ?? ''));
  const isSamePart = here.parts.join() === there.parts.join();
  return isKind && isSamePart && (there.isRunner ? there.isPlain : isAboutAll(later, here.parts));
}

interface NamedCheck {
  /** A name in the project stands for the command. */
  readonly isRunner: boolean;
  readonly kind: string | undefined;
  readonly parts: readonly string[];
  /** Nothing is said to it but its name. */
  readonly isPlain: boolean;
}

function named(words: readonly string[]): NamedCheck {
  const isRunner = RUNNER.test(words[0] ?? '');
  const told = words.slice(1).filter((word) => word !== 'run');
  return {
    isRunner,
    kind: /\b(?:test|lint|build)/.exec(
      isRunner ? (told[0] ?? '') : (told.find((word) => !word.startsWith('-')) ?? ''),
    )?.[0],
    parts: PARTS.filter((part) => words.some((word) => word.includes(part))),
    isPlain: told.length === 1,
  };
}

const RUNNER = /^(?:mise|make|just|task|npm|pnpm|yarn|bun|rake)$/;
const PARTS = ['integration', 'e2e', 'unit', 'smoke'];

/** Without a filter, and with no folder but that of the part. */
const isAboutAll = (words: readonly string[], parts: readonly string[]): boolean =>
  words
    .slice(2)
    .every((word) => REPORTING.test(word) || EVERYTHING.test(word) || parts.some((part) => word.includes(part)));

/** With any arguments, there is only one thing that they can have been about. */
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
