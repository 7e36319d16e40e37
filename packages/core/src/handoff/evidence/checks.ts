import type { Ledger, LedgerCommand } from '../ledger/ledger.js';

/** Commands that tell whether the work is right: by what they are told to do, not by the files that they are given. */
export const isCheck = ({ command }: LedgerCommand): boolean =>
  command
    .slice(0, LOOKED_AT)
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim().split(/\s+/).filter(isWord).slice(0, TELLING_WORDS))
    .some(([program = '', ...rest]) => !LOOKING.test(program) && CHECK.test([program, ...rest].join(' ')));

const LOOKED_AT = 2_000;
const TELLING_WORDS = 3;
/** Neither `NAME=value` in front nor an option. */
const isWord = (word: string) => !/^(?:-|\w+=)/.test(word);

const LOOKING =
  /^(?:cat|head|tail|less|grep|rg|ag|ls|sed|awk|find|fd|wc|echo|printf|cd|chmod|mkdir|rm|cp|mv|git|gh|touch|diff)$/;
const CHECK = /\b(?:test|tests|build|lint|check|fmt|format|typecheck|tsc|make|verify|run|pytest|jest|vitest|clippy)\b/;

/** Behind a pipe a failure has no exit code; the output tells. */
export const saysFailure = ({ result }: LedgerCommand): boolean =>
  /\b(?:FAIL|FAILED|failed|[Ee]rror)\b/.test(result) && !/\b0 (?:failed|errors?)\b/.test(result);

export const wentWell = (command: LedgerCommand): boolean => command.outcome === 'ok' && !saysFailure(command);

/** The newest check, however it ended. */
export function lastCheck({ commands }: Ledger): LedgerCommand | undefined {
  let last: LedgerCommand | undefined;
  for (const command of commands.values()) {
    if (isCheck(command) && command.outcome !== 'refused' && command.step >= (last?.step ?? 0)) last = command;
  }
  return last;
}

/** The files that were changed after a step, the newest first. */
export const changedAfter = ({ files }: Ledger, step: number): readonly string[] =>
  [...files.values()]
    .filter((file) => file.changes > 0 && file.step > step)
    .reverse()
    .map(({ path }) => path);
