import type { Ledger, Trouble } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, oneLine } from '../wording.js';
import { shortCommand } from './command-items.js';

/** What failed and did not succeed since. The newest first. */
export function errorItems({ troubles, step }: Ledger): readonly HandoffItem[] {
  return [...troubles]
    .reverse()
    .filter((trouble) => !trouble.resolved && !trouble.refused && !isSlip(trouble))
    .map((trouble) => ({
      form: 'line',
      text: `${code(shortCommand(trouble.what))} failed: ${code(oneLine(trouble.message))}`,
      from: [trouble.from],
      worth: 14 * 2 ** (-(step - trouble.step) / 60),
    }));
}

/** What not to do again: what the user did not allow, and what failed until it was done otherwise. */
export function failedItems({ troubles, step }: Ledger): readonly HandoffItem[] {
  return [...troubles]
    .reverse()
    .filter((trouble) => trouble.refused || (trouble.resolved && !isSlip(trouble)))
    .map((trouble) => ({
      form: 'line',
      text: trouble.refused
        ? `The user did not allow ${code(shortCommand(trouble.what))}`
        : `${code(shortCommand(trouble.what))} failed at first: ${code(oneLine(trouble.message))}`,
      from: [trouble.from],
      worth: 6 * 2 ** (-(step - trouble.step) / 60),
    }));
}

/** Slips in the use of a tool, which the agent puts right at once, say nothing about the work. */
const isSlip = ({ message }: Trouble): boolean =>
  /^<tool_use_error>|has not been read yet|exceeds maximum allowed/.test(message);
