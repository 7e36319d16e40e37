import type { RelayEnd } from '../relay/relay-terminal.js';
import type { TerminalWorld } from '../terminal-world.js';

/** What the user has to know when he is back in his own terminal. Of an agent that ended he has seen it. */
export function tellEnd({ complain }: Pick<TerminalWorld, 'complain'>, name: string, end: RelayEnd): void {
  if (end.kind === 'detached')
    complain(`devs: detached. "${name}" keeps running; come back with \`devs attach ${name}\`.`);
  if (end.kind === 'host-lost')
    complain(
      `devs: the process that holds the terminals has died, and "${name}" with it. Continue with \`devs resume ${name}\`.`,
    );
}
