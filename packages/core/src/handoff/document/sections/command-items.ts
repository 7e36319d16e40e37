import { cutAtEnd } from '../../cut-at-end.js';
import { isCheck, saysFailure } from '../../evidence/checks.js';
import { coreOf, isOneOff } from '../../evidence/command-parts.js';
import type { Ledger, LedgerCommand } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, oneLine, times } from '../wording.js';

/** Commands that ran well the last time and may be run again, with what they said. Checks are worth most: they tell when the work is done. */
export function commandItems({ commands }: Ledger): readonly HandoffItem[] {
  return newestOfEach([...commands.values()].reverse())
    .filter((command) => (command.outcome === 'ok' && !saysFailure(command)) || command.outcome === 'running')
    .filter(({ command }) => !isOneOff(command))
    .map((command, age) => ({
      form: 'line',
      text: code(shortCommand(command.command)),
      detail: describe(command),
      from: [command.from],
      worth: (isCheck(command) ? 6 : 2) / (1 + age / 8),
    }));
}

/** However much of their output is looked at. */
function newestOfEach(commands: readonly LedgerCommand[]): readonly LedgerCommand[] {
  const byCore = new Map<string, LedgerCommand>();
  for (const command of commands) {
    const core = coreOf(command.command);
    const newer = byCore.get(core);
    byCore.set(core, newer === undefined ? command : { ...newer, runs: newer.runs + command.runs });
  }
  return [...byCore.values()];
}

function describe(command: LedgerCommand): string {
  const { purpose, result } = command;
  const why = purpose === undefined || purpose === '' ? '' : ` (${oneLine(purpose)})`;
  const last = result.split('\n').at(-1) ?? '';
  const said = last === '' ? '' : `: ${code(cutAtEnd(last, 120))}`;
  return `${why} ${ending(command)}${said}`;
}

function ending(command: LedgerCommand): string {
  if (command.outcome === 'running') return 'runs in the background';
  return `ran ${times(command.runs)}, ok`;
}

/** Here-documents and scripts are cut: their first lines say what they are. */
export const shortCommand = (command: string): string => cutAtEnd(oneLine(command), 240);
