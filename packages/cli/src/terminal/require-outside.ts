import type { Command } from 'commander';
import { UsageError } from '../cli-error.js';
import type { Terminals } from './create-terminals.js';

/** What the user alone decides, by the name of the command: an agent that could call it would decide for the user. */
const USERS_OWN: Readonly<Record<string, (command: Command) => boolean>> = {
  answer: ({ args }) => args.length > 0, // without arguments it lists
  attach: () => true,
  down: () => true,
  up: () => true,
  config: (command) => command.opts<{ trust?: boolean }>().trust === true,
  import: ({ parent }) => parent?.name() === 'debug',
  init: () => true, // the files that these two make need no agreement
  new: ({ parent }) => parent?.name() === 'workflow',
  interrupt: () => true,
  purge: () => true,
  renew: () => true,
  resume: () => true,
  run: () => true,
  send: () => true,
  stop: () => true,
};

/** Refuses the commands that are the user's own inside of a terminal of devs, where an agent may be the caller. */
export async function requireOutside(command: Command, terminals: Pick<Terminals, 'seat'>): Promise<void> {
  if (USERS_OWN[command.name()]?.(command) !== true) return;
  const seat = await terminals.seat();
  if (seat.kind === 'outside') return;
  const where = seat.terminalId === undefined ? 'a terminal of devs' : `the devs terminal ${seat.terminalId}`;
  throw new UsageError(
    `\`devs ${command.name()}\` is yours alone, and this process runs inside ${where}, where an agent could call it. Open another window and type it there.`,
  );
}
