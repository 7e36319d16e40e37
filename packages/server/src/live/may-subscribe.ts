import type { Subscription } from '@devs/api';
import type { Identity } from '../admission/identity.js';

/** Pure: an agent sees its own run and terminal, and types nothing; a viewer types nothing. */
export function maySubscribe(
  identity: Identity,
  subscription: Subscription,
  runOf: (terminal: string) => string | undefined,
): boolean {
  const types = subscription.to === 'terminal' && subscription.input === true;
  if (identity.scope !== 'agent') return identity.scope === 'owner' || !types;
  const { terminal } = identity;
  if (terminal === undefined || types) return false;
  const own: Readonly<Record<string, string | undefined>> = { terminal, run: runOf(terminal) };
  switch (subscription.to) {
    case 'terminal':
      return subscription.terminal === terminal;
    case 'screens':
      return subscription.terminals.every((name) => name === terminal);
    case 'log':
      return subscription.only?.every(({ kind, id }) => id !== undefined && id === own[kind]) ?? false;
    case 'notices':
      return false;
  }
}
