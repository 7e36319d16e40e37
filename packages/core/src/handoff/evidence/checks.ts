import { verdictOf } from '../failure-lines.js';
import type { Ledger, LedgerCommand } from '../ledger/ledger.js';
import { commandParts } from './command-parts.js';

type Command = Pick<LedgerCommand, 'command'>;

/** Commands that tell whether the work is right: by what they are told to do, not by the files that they are given. */
export const isCheck = ({ command }: Command): boolean => commandParts(command).some(({ words }) => isCheckPart(words));

export function isCheckPart([program = '', ...rest]: readonly string[]): boolean {
  const name = program.replace(/^.*\//, '');
  if (LOOKING.test(name)) return false;
  if (CHECKER.test(name)) return true;
  const told = rest.filter((word) => !/^(?:-|\w+=)/.test(word)).slice(0, TELLING_WORDS);
  if (name === 'make' && told.length === 0) return true;
  return CHECK.test([program, ...told].join(' '));
}

const TELLING_WORDS = 2;

const LOOKING =
  /^(?:cat|head|tail|less|grep|rg|ag|ls|sed|awk|find|fd|wc|echo|printf|cd|chmod|mkdir|rm|cp|mv|git|gh|touch|diff|cmp|stat|file|which|type|test|\[|curl|wget|ssh|kubectl|ps|pgrep|du|df|tree|jq|sort|uniq|xargs|tee|nl|cut|tr|env|pwd)$/;
/** Programs that do nothing else. */
const CHECKER =
  /^(?:pytest|py\.test|jest|vitest|mocha|ava|tap|rspec|phpunit|pest|ctest|bats|tox|nox|unittest|nosetests|eslint|stylelint|rubocop|mypy|pyright|ruff|flake8|pylint|shellcheck|golangci-lint|staticcheck|tsc|vue-tsc|clippy|ktlint|phpstan|psalm|credo|detekt|swiftlint|hadolint|actionlint|yamllint|markdownlint|biome|knip)$/;
const CHECK = /\b(?:test|tests|spec|specs|build|lint|check|fmt|format|typecheck|tsc|verify|vet|clippy|compile|e2e)\b/;

/** Whether its output reports failures. A command that only looks shows the failures of others. */
export function saysFailure(command: Pick<LedgerCommand, 'command' | 'result'>): boolean {
  const known = judged.get(command);
  if (known !== undefined) return known;
  const isFailure = judge(command);
  judged.set(command, isFailure);
  return isFailure;
}

/** Four sections ask the same of hundreds of commands, and the outcome of a command does not change. */
const judged = new WeakMap<object, boolean>();

/** The command first: the result is worked out when it is asked for, which takes longer. */
function judge(judged: Pick<LedgerCommand, 'command' | 'result'>): boolean {
  const { command } = judged;
  if (isLooking({ command })) return false;
  const verdicts = new Set(judged.result.split('\n').map(verdictOf));
  return verdicts.has('failed') || (verdicts.has('troubled') && !verdicts.has('passed') && hidesExitCode(command));
}

/** Behind a pipe, or before another command, a failure has no exit code; then words of trouble count, too. */
const hidesExitCode = (command: string): boolean => /\||;|\n/.test(command);

/** It only shows the state, and changes and proves nothing. */
export const isLooking = ({ command }: Command): boolean =>
  !WRITING.test(command) &&
  commandParts(command).every(
    ({ words: [program = '', ...rest] }) =>
      (LOOKING.test(program) && !CHANGING.test([program, ...rest].join(' '))) || isLog([program, ...rest]),
  );

/** Into a file. */
const WRITING = /(?<![\d&>=-])>>?\s*(?![&>]|\/dev\/)[\w./~$"']/;
const CHANGING =
  /^(?:(?:chmod|mkdir|rm|cp|mv|touch|xargs|tee|ssh|wget)\b|sed\b.* -i|git (?!(?:log|show|diff|grep|rev-parse|status|ls-files|check-ignore|blame|branch(?:$| --show-current| -[avr]+\b| --list)|remote|describe|config)\b)|gh \w+ (?!view|list|status|diff|checks)|curl\b.*(?: -X ?(?!GET)\w+| -d |--data)|kubectl\b.* (?:apply|create|delete|set|patch|scale|rollout|edit|replace)\b)/;

const isLog = (words: readonly string[]): boolean =>
  /^(?:docker|docker-compose|kubectl|podman|journalctl|heroku|fly|pm2)$/.test(words[0] ?? '') &&
  (words[0] === 'journalctl' || words.slice(1, 5).includes('logs'));

export const wentWell = (command: LedgerCommand): boolean => command.outcome === 'ok' && !saysFailure(command);

/** The newest check, however it ended. */
export function lastCheck({ commands }: Ledger): LedgerCommand | undefined {
  let last: LedgerCommand | undefined;
  for (const command of commands.values()) {
    if (command.outcome !== 'refused' && command.step >= (last?.step ?? 0) && isCheck(command)) last = command;
  }
  return last;
}

/** The files that were changed after a step, the newest first. */
export const changedAfter = ({ files }: Ledger, step: number): readonly string[] =>
  [...files.values()]
    .filter(({ changedStep }) => changedStep > step)
    .sort((a, b) => b.changedStep - a.changedStep)
    .map(({ path }) => path);
