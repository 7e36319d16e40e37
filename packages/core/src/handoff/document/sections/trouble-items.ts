import { cutAtEnd } from '../../../text/cut-text.js';
import { isRecent, pastFailures, standingErrors } from '../../evidence/standing-errors.js';
import type { Ledger, Trouble } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, oneLine } from '../wording.js';
import { shortCommand } from './command-items.js';

/** What failed and did not succeed since. The newest first. */
export function errorItems(ledger: Ledger, standing = standingErrors(ledger)): readonly HandoffItem[] {
  return standing.map((trouble) => ({
    form: 'line',
    text: `${subject(trouble)} failed`,
    detail: `${where(trouble)}${ago(trouble, ledger)}${message(trouble)}`,
    from: [trouble.from],
    worth: worth(14, trouble, ledger),
    ...(isRecent(trouble, ledger) ? { required: true } : {}),
  }));
}

/** What not to do again: what the user did not allow, and what failed until it was done otherwise. */
export function failedItems(ledger: Ledger, standing: readonly Trouble[]): readonly HandoffItem[] {
  return pastFailures(ledger, standing).map((trouble) => ({
    form: 'line',
    text: trouble.refused
      ? `The user did not allow ${subject(trouble)}`
      : `${subject(trouble)} failed${trouble.resolved ? ' at first' : ''}`,
    detail: trouble.refused ? '' : `${where(trouble)}${message(trouble)}`,
    from: [trouble.from],
    worth: worth(6, trouble, ledger),
  }));
}

const where = ({ folder }: Trouble): string => (folder === undefined ? '' : ` in ${code(folder)}`);

const ago = ({ step }: Trouble, ledger: Ledger): string =>
  ledger.step - step <= 1 ? ' just now' : ` ${ledger.step - step} steps ago`;

const subject = ({ what }: Trouble): string => code(cutAtEnd(shortCommand(what), MAX_SUBJECT_LENGTH));

const MAX_SUBJECT_LENGTH = 160;

const message = ({ message: said }: Trouble): string => (oneLine(said) === '' ? '' : `: ${code(oneLine(said))}`);

const worth = (most: number, trouble: Trouble, { step }: Ledger) => most * 2 ** (-(step - trouble.step) / 60);
