import type { Terminal } from '@devs/api';
import type { Clock, SeenTerminals, TerminalSigns } from '@devs/core';
import type { Identity } from '../admission/identity.js';
import type { ServedSupervisor } from '../served-supervisor.js';

const SERVER: Identity = { scope: 'viewer', name: 'the server itself' };

/** What the supervisor sees of its terminals now. */
export async function lookAtTerminals({ handlers }: ServedSupervisor, { now }: Clock): Promise<SeenTerminals> {
  const context = { identity: SERVER, signal: new AbortController().signal };
  const { terminals } = (await handlers['terminals.list']?.({}, context)) ?? { terminals: [] };
  const known = new Map(terminals.map((terminal) => [terminal.name, signsOf(terminal)]));
  return { now: now(), signs: (name) => known.get(name) };
}

const signsOf = ({ activity, isAttended, parkedUntil, needs }: Terminal): TerminalSigns => ({
  activity,
  isAttended,
  ...(parkedUntil === undefined ? {} : { parkedUntil }),
  ...(needs?.kind === 'waiting' ? { detail: needs.detail } : {}),
  ...(needs?.kind === 'escalated' || needs?.kind === 'arguments' ? { escalation: needs.detail } : {}),
});
