import type { TerminalNews, TerminalStatus } from '@devs/supervisor';
import { grouped } from '../../words.js';
import type { PrefixKey } from '../relay/prefix-keys.js';
import type { RelayEnd } from '../relay/relay-terminal.js';
import type { TerminalDeps } from '../terminal-world.js';

/** What the user should know of how the context of their agent is measured; nothing where that is exact. Pure. */
export function describeWindow({ window, status }: Pick<TerminalNews, 'window' | 'status'>): string | undefined {
  if (window === 'assumed')
    return `the context window of its model is not known: ${grouped(status?.usage?.windowTokens ?? 0)} tokens are assumed`;
  return window === 'unknown'
    ? 'the context window of its model is unknown, so its usage cannot be measured'
    : undefined;
}

/** What stands behind the agent's title: how full its context is, and what to press when it is too full. Pure. */
export function titleWord(status: TerminalStatus | undefined, prefix: PrefixKey | undefined): string {
  if (status === undefined) return '';
  if (status.contextRefreshState !== null) return 'renewing';
  if (status.pressure <= 0) return '';
  const share = `${Math.round(status.pressure * 100)}%`;
  return status.mark === 'firm' && prefix !== undefined ? `${share}, ${prefix.label} r renews` : share;
}

/** What the user must know back in their own terminal. They have seen an agent's end themselves. */
export function tellEnd({ warn }: Pick<TerminalDeps, 'warn'>, name: string, end: RelayEnd): void {
  if (end.kind === 'detached') warn(`devs: detached. "${name}" keeps running; come back with \`devs attach ${name}\`.`);
  if (end.kind === 'host-lost')
    warn(
      `devs: the process that holds the terminals has died, and "${name}" with it. Continue with \`devs resume ${name}\`.`,
    );
}
