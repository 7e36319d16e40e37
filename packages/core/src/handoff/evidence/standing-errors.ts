import type { Ledger, Trouble } from '../ledger/ledger.js';

/** Failures that nothing since has put right, the newest first: of commands, and of changes to files. */
export function standingErrors(ledger: Ledger): readonly Trouble[] {
  return newestOfEach(ledger).filter((trouble) => isAboutWork(trouble, ledger) && !isMended(trouble, ledger));
}

/** Failures that are history: what was refused, what was put right, and what was only looked for in the wrong place. */
export function pastFailures(ledger: Ledger): readonly Trouble[] {
  const standing = new Set(standingErrors(ledger));
  return newestOfEach(ledger).filter((trouble) => !standing.has(trouble) && !isSlip(trouble));
}

/** What failed again and again is one failure. */
function newestOfEach({ troubles }: Ledger): readonly Trouble[] {
  const seen = new Set<string>();
  return [...troubles].reverse().filter(({ key }) => !seen.has(key) && seen.add(key).size > 0);
}

const isAboutWork = (trouble: Trouble, { commands, files }: Ledger): boolean =>
  !trouble.refused &&
  !isSlip(trouble) &&
  ((commands.has(trouble.key) && !LOOKING.test(trouble.key)) || (files.get(trouble.key)?.changes ?? 0) > 0);

/** These end with an error where there is nothing to be found. */
const LOOKING =
  /^(?:cd\s+\S+\s*&&\s*)?(?:grep|rg|ag|ls|cat|head|tail|sed -n|find|fd|which|command -v|type|test|\[|diff|cmp|stat|file|pgrep|git (?:log|show|diff|grep|rev-parse|status|ls-files|check-ignore))\b/;

/** The same thing, or the same command in other words, went well later. */
function isMended({ resolved, key, step }: Trouble, { commands }: Ledger): boolean {
  if (resolved) return true;
  const head = headOf(key);
  if (head === '' || !commands.has(key)) return false;
  for (const command of commands.values()) {
    if (command.outcome === 'ok' && command.step > step && headOf(command.command) === head) return true;
  }
  return false;
}

/** The program and what it is told to do: `go test`, `npm run lint`. Empty for what is not a plain command. */
function headOf(command: string): string {
  const words = command.replace(/^cd\s+\S+\s*&&\s*/, '').split(/\s+/);
  const plain = words.slice(0, 3).filter((word) => /^[A-Za-z][\w:-]*$/.test(word));
  const count = plain[1] === 'run' || plain[1] === 'exec' ? 3 : 2;
  return plain.length >= 2 ? plain.slice(0, count).join(' ') : '';
}

/** Slips in the use of a tool, which the agent puts right at once, say nothing about the work. */
const isSlip = ({ message }: Trouble): boolean =>
  /^<tool_use_error>|has not been read yet|exceeds maximum allowed/.test(message);
