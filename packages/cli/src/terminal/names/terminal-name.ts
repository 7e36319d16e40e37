import { basename } from 'node:path';
import { CliError, UsageError } from '../../cli-error.js';
import { suggestCommand } from '../../program/suggest-command.js';
import { visible } from '../../screen/visible.js';

const TERMINAL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/** A name is part of paths: it cannot lead anywhere else. */
export const isTerminalName = (text: string): boolean => TERMINAL_NAME.test(text);

export function checkTerminalName(text: string): string {
  if (isTerminalName(text)) return text;
  throw new UsageError(
    `"${visible(text)}" is no name for a terminal. Use letters, digits, dots, dashes and underscores, 40 at most.`,
  );
}

/** After the folder: `shop`, then `shop-2`. Pure. */
export function chooseTerminalName(folder: string, isTaken: (name: string) => boolean): string {
  const base = basename(folder)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 32);
  const name = base === '' ? 'agent' : base;
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}

/** Finds a terminal by its whole name, or by a unique beginning. */
export function findTerminalName(wanted: string, names: readonly string[]): string {
  if (names.includes(wanted)) return wanted;
  const beginning = wanted === '' ? [] : names.filter((name) => name.startsWith(wanted));
  const [only] = beginning;
  if (only !== undefined && beginning.length === 1) return only;
  if (beginning.length > 1) {
    throw new UsageError(`"${visible(wanted)}" can be ${beginning.join(', ')}. Type more of the name.`);
  }
  throw new CliError(`there is no terminal or run "${visible(wanted)}". ${adviceFor(wanted, names)}`);
}

function adviceFor(wanted: string, names: readonly string[]): string {
  if (names.length === 0) return 'None is running: start one with `devs claude` or `devs codex`.';
  const meant = suggestCommand(wanted, names);
  const question = meant === undefined ? '' : `Did you mean ${meant}? `;
  return `${question}There is: ${[...names].sort().join(', ')}`;
}
