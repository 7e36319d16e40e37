import { UsageError } from '../../cli-error.js';
import { clip } from '../../screen/clip.js';

const MOST_SHOWN_COLUMNS = 40;

/** A name is also that of a file, and typed on command lines. */
export function checkWorkflowName(name: string): void {
  const shown = clip(name, MOST_SHOWN_COLUMNS);
  if (/\.ya?ml$/i.test(name)) {
    throw new UsageError(`${shown}: give the name without .yaml; devs adds it.`);
  }
  if (!/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]{0,99}$/u.test(name)) {
    throw new UsageError(
      `${shown}: a name has 1 to 100 letters, digits, _, - and ., and begins with none of the last two.`,
    );
  }
}
