import { cutAtEnd } from '../../cut-at-end.js';
import type { Ledger, LedgerCommand } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, oneLine, times } from '../wording.js';

/** Commands that ran well the last time, with what they said. Checks are worth most: they tell when the work is done. */
export function commandItems({ commands }: Ledger): readonly HandoffItem[] {
  return newestOfEach([...commands.values()].reverse())
    .filter(({ outcome }) => outcome === 'ok' || outcome === 'running')
    .map((command, age) => ({
      form: 'line',
      text: describe(command),
      from: [command.from],
      worth: (CHECK.test(command.command) ? 6 : 2) / (1 + age / 8),
    }));
}

const CHECK = /\b(?:test|tests|build|lint|check|fmt|format|typecheck|tsc|make|verify|run)\b/;

/** `… | tail -20` and `… | head -50` are the same command, looked at twice. */
function newestOfEach(commands: readonly LedgerCommand[]): readonly LedgerCommand[] {
  const byCore = new Map<string, LedgerCommand>();
  for (const command of commands) {
    const core = coreOf(command.command);
    const newer = byCore.get(core);
    byCore.set(core, newer === undefined ? command : { ...newer, runs: newer.runs + command.runs });
  }
  return [...byCore.values()];
}

const coreOf = (command: string): string => command.replace(/\s*(?:2>&1)?\s*(?:\|\s*(?:tail|head|grep)\b[^|]*)*$/, '');

function describe({ command, purpose, runs, outcome, result }: LedgerCommand): string {
  const why = purpose === undefined || purpose === '' ? '' : ` (${oneLine(purpose)})`;
  const last = result.split('\n').at(-1) ?? '';
  const said = last === '' ? '' : code(cutAtEnd(last, 120));
  return `${code(shortCommand(command))}${why} ${ending(outcome, runs, result)}${said === '' ? '' : `: ${said}`}`;
}

/** Behind a pipe a failure has no exit code; the output tells. */
function ending(outcome: LedgerCommand['outcome'], runs: number, result: string): string {
  if (outcome === 'running') return 'runs in the background';
  return /\b(?:FAIL|FAILED|failed|[Ee]rror)\b/.test(result) && !/\b0 (?:failed|errors?)\b/.test(result)
    ? `ran ${times(runs)}, and its output says`
    : `ran ${times(runs)}, ok`;
}

/** Here-documents and scripts are cut: their first lines say what they are. */
export const shortCommand = (command: string): string => cutAtEnd(oneLine(command), 240);
