import type { Answer } from '../files/confirm.js';
import type { UntilInterrupted, UntilInterruptedTwice } from '../interruption.js';
import type { LiveScreen } from '../run/live-screen.js';
import type { Screen } from './screen.js';

/** The user in front of the command: what they see, are asked, and interrupt. */
export interface Console {
  readonly screen: Screen;
  /** Whether stdout is a terminal, which interprets control sequences, and not a pipe or a file. */
  readonly isTerminal: boolean;
  /** A line, or several, on stdout. */
  readonly print: (text: string) => void;
  /** A line, or several, for people, on stderr. */
  readonly warn: (text: string) => void;
  /** The text of a file, or of stdin where there is no path. */
  readonly readText: (path: string | undefined) => Promise<string>;
  readonly readLines: (path: string) => AsyncIterable<string>;
  /** To a file that must not exist yet, or to stdout where there is no path; gives what the generator returned. */
  readonly writeLines: <Result>(path: string | undefined, lines: AsyncGenerator<string, Result>) => Promise<Result>;
  readonly confirm: (question: string) => Promise<Answer>;
  /** Index of the choice that the user picked, if they can be asked. */
  readonly pick: (choices: readonly string[]) => Promise<number | undefined>;
  readonly untilInterrupted: UntilInterrupted;
  readonly untilInterruptedTwice: UntilInterruptedTwice;
  /** Where stdout is a terminal that can be drawn on. */
  readonly live: LiveScreen | undefined;
}
