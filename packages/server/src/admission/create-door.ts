import { ApiError } from '@devs/api';
import type { Clock } from '@devs/core';
import type { Challenge, Seat } from '@devs/terminals/admission';
import type { Handlers } from '../served-supervisor.js';
import type { Capabilities } from './create-capabilities.js';
import type { Identity } from './identity.js';

/** How a process of the socket shows who it is; `@devs/terminals/admission` in earnest. */
export interface Admission {
  issueChallenge(): Challenge;
  seatOf(pid: number): Seat;
}

const CHALLENGE_MS = 10_000;
const MAX_CHALLENGES = 64;
const LOGINS_PER_MINUTE = 20;

/**
 * The way in of the Unix socket: a caller shows which process it is, by a file that it holds open. A process inside a terminal of devs
 * gets an agent's capability, every other process of the user the owner's.
 */
export function createSocketDoor(
  { issueChallenge, seatOf }: Admission,
  { capabilities, clock }: { readonly capabilities: Capabilities; readonly clock: Clock },
): Pick<Handlers, 'door.hello' | 'door.prove'> & { close(): void } {
  const open = new Map<string, { readonly challenge: Challenge; readonly until: number }>();
  const forget = (name: string) => {
    open.get(name)?.challenge.close();
    open.delete(name);
  };
  return {
    async 'door.hello'() {
      for (const [name, { until }] of open) if (until <= clock.now()) forget(name);
      if (open.size >= MAX_CHALLENGES) throw new ApiError('too-many', 'too many callers wait for their capability');
      const challenge = issueChallenge();
      open.set(challenge.name, { challenge, until: clock.now() + CHALLENGE_MS });
      return { challenge: challenge.name };
    },
    async 'door.prove'({ challenge: name, pid }) {
      const issued = open.get(name);
      const isMet = issued !== undefined && issued.until > clock.now() && issued.challenge.isMetBy(pid);
      forget(name);
      if (!isMet) throw new ApiError('not-allowed', `process ${pid} did not show that it is the caller`);
      const identity = identityOf(pid, seatOf(pid));
      const { token } = capabilities.grant(identity);
      if (identity.scope !== 'agent') return { token, scope: 'owner' };
      return { token, scope: 'agent', ...(identity.terminal === undefined ? {} : { terminal: identity.terminal }) };
    },
    close() {
      for (const name of [...open.keys()]) forget(name);
    },
  };
}

const identityOf = (pid: number, seat: Seat): Identity =>
  seat.kind === 'outside'
    ? { scope: 'owner', name: `process ${pid}` }
    : { scope: 'agent', name: `process ${pid}`, terminal: seat.terminalId };

/** The way in of the page: the key of a link, once. */
export function createLoopbackDoor(capabilities: Capabilities, clock: Clock): Pick<Handlers, 'door.login'> {
  let tries: readonly number[] = [];
  return {
    async 'door.login'({ key }) {
      tries = [...tries.filter((at) => at > clock.now() - 60_000), clock.now()];
      if (tries.length > LOGINS_PER_MINUTE) throw new ApiError('too-many', 'too many logins; wait a minute');
      const granted = capabilities.useLink(key);
      if (granted === undefined)
        throw new ApiError('no-capability', 'this link was used or is too old. Make another one with `devs ui`.');
      return granted;
    },
  };
}
