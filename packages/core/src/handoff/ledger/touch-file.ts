import type { ToolAction } from '../../conversation/tool-action.js';
import { BOUNDS, touchBounded } from './bounds.js';
import type { Ledger, LedgerFile, WaitingCall } from './ledger.js';

/** A file was read or changed: known only when the call was answered, as many an edit fails. */
export function touchFile(
  ledger: Ledger,
  action: ToolAction & { readonly kind: 'change' | 'read' },
  { step, from }: WaitingCall,
): void {
  const known = ledger.files.get(action.path);
  const file: LedgerFile = known ?? {
    path: action.path,
    changes: 0,
    how: undefined,
    changesSince: 0,
    changedStep: 0,
    movedTo: undefined,
    reads: 0,
    lines: undefined,
    why: undefined,
    step,
    from,
  };
  file.step = step;
  file.from = from;
  if (action.kind === 'change') {
    file.changes += 1;
    const isEdited = file.how === 'written' && action.how === 'edited';
    file.how = isEdited ? 'written' : action.how;
    file.changesSince = isEdited ? file.changesSince + 1 : 0;
    file.changedStep = step;
    file.movedTo = action.movedTo;
    file.why = reasonFor(ledger, step, action.path) ?? file.why;
  } else {
    file.reads += 1;
    if (file.changes === 0) file.why = reasonFor(ledger, step, action.path) ?? file.why;
    file.lines = action.lines;
  }
  touchBounded(ledger.files, action.path, file, BOUNDS.files);
}

/**
 * What the agent said just before the call: as a rule, what it was about to do. Where it changed another file after these
 * words, they were about that one.
 */
function reasonFor({ notes, files }: Ledger, step: number, path: string): string | undefined {
  const last = notes.findLast((note) => note.step <= step);
  if (last === undefined || step - last.step > RECENT_STEPS) return undefined;
  const isTaken = [...files.values()].some((file) => file.path !== path && file.changedStep > last.step);
  return isTaken ? undefined : last.text.slice(-MAX_REASON_LENGTH);
}

const RECENT_STEPS = 4;
/** Its end tells what came next; hundreds of files have one. */
const MAX_REASON_LENGTH = 1_000;
