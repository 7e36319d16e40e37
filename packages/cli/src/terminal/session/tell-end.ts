import type { RelayEnd } from '../relay/relay-terminal.js';
import type { TerminalWorld } from '../terminal-world.js';

/** What the user must know back in their own terminal. They have seen an agent's end themselves. */
export function tellEnd({ complain }: Pick<TerminalWorld, 'complain'>, name: string, end: RelayEnd): void {
  if (end.kind === 'detached')
    complain(`devs: detached. "${name}" keeps running; come back with \`devs attach ${name}\`.`);
  if (end.kind === 'host-lost')
    complain(
      `devs: the process that holds the terminals has died, and "${name}" with it. Continue with \`devs resume ${name}\`.`,
    );
}
