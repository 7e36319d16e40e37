import { inItsFolder, type Ledger, type Trouble } from '../ledger/ledger.js';
import { isCheck, wentWell } from './checks.js';
import { isDoneBy, type Work, workOf } from './is-done-by.js';

/** Failures that nothing since has put right, the newest first: of commands, and of changes to files. */
export function standingErrors(ledger: Ledger): readonly Trouble[] {
  const { folder } = ledger.place;
  // Worked out once for each command: there are hundreds of them, and every failure is compared with all.
  const done = [...ledger.commands.values()]
    .filter(wentWell)
    .map((command) => ({ step: command.step, work: workOf(inItsFolder(command), folder) }));
  return newestOfEach(ledger).filter(
    (trouble) => isAboutWork(trouble) && !isMended(trouble, done, folder) && !isHistory(trouble, ledger),
  );
}

/**
 * A failed check counts until one succeeds. For anything else it is unknown whether the agent did it in another way:
 * after a while it is merely an attempt.
 */
const isHistory = ({ kind, key, step }: Trouble, ledger: Ledger): boolean =>
  ledger.step - step > RECENT_STEPS && !(kind === 'command' && isCheck({ command: key }));

const RECENT_STEPS = 30;

/** Failed not long ago: it must be told. */
export const isRecent = ({ step }: Trouble, ledger: Ledger): boolean => ledger.step - step <= RECENT_STEPS;

/** Failures that are history: what was refused, what was put right, and what was only looked for in the wrong place. */
export function pastFailures(ledger: Ledger, standing: readonly Trouble[]): readonly Trouble[] {
  const stillThere = new Set(standing);
  return newestOfEach(ledger).filter((trouble) => !stillThere.has(trouble) && !isSlip(trouble));
}

/** What failed again and again is one failure. */
function newestOfEach({ troubles }: Ledger): readonly Trouble[] {
  const seen = new Set<string>();
  return [...troubles].reverse().filter(({ kind, key }) => {
    const one = `${kind} ${key}`;
    return !seen.has(one) && seen.add(one).size > 0;
  });
}

const isAboutWork = (trouble: Trouble): boolean =>
  !trouble.refused &&
  !isSlip(trouble) &&
  (trouble.kind === 'change' || (trouble.kind === 'command' && !LOOKING.test(trouble.key)));

/** These end with an error where there is nothing to be found. */
const LOOKING =
  /^(?:cd\s+\S+\s*&&\s*)?(?:grep|rg|ag|ls|cat|head|tail|sed -n|find|fd|which|command -v|type|test|\[|diff|cmp|stat|file|pgrep|git (?:log|show|diff|grep|rev-parse|status|ls-files|check-ignore))\b/;

/** The same thing, or the same command in other words, went well later; or each of its parts did. */
function isMended({ resolved, kind, key, step }: Trouble, done: readonly Done[], folder: string | undefined): boolean {
  if (resolved || kind !== 'command') return resolved;
  const later = done.filter((one) => one.step > step).map(({ work }) => work);
  return isDoneBy(workOf(key, folder), later);
}

/** A command that went well. */
interface Done {
  readonly step: number;
  readonly work: Work;
}

/** Slips in the use of a tool, which the agent puts right at once, say nothing about the work. */
const isSlip = ({ message }: Trouble): boolean =>
  /^<tool_use_error>|has not been read yet|exceeds maximum allowed/.test(message);
