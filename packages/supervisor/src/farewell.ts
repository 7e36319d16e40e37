import { setTimeout as pause } from 'node:timers/promises';
import type { HostLink } from './host/host-link.js';
import type { Lane } from './lane.js';
import type { KeptLeases } from './renew-leases.js';
import type { Supervision } from './supervision.js';

export interface FarewellParts {
  readonly supervision: Pick<Supervision, 'agentProcess' | 'timing' | 'notify'>;
  readonly hosts: HostLink;
  readonly lane: Lane;
  readonly leases: KeptLeases;
  /** Whether an unsupervised agent has to be ended. */
  readonly endsAgent: boolean;
}

export interface Farewell {
  /** Releases it. The agent continues, and the next supervisor takes it up. */
  close(): Promise<void>;
  /** Ends the agent first where it has to be, without the store, and lets go. Never rejects. */
  giveUp(): Promise<void>;
}

/** How a supervisor leaves a terminal. `onLeave` is called once, before anything else. */
export function createFarewell(parts: FarewellParts, onLeave: () => void): Farewell {
  const { supervision, hosts, lane, leases } = parts;
  const { agentProcess, timing, notify } = supervision;
  let leaving: Promise<void> | undefined;

  const letGo = async () => {
    await agentProcess.close();
    hosts.close();
    await leases.stop();
  };
  const endAgent = () =>
    agentProcess.abandon(timing.graceMs).catch((error: unknown) => {
      notify({ kind: 'trouble', detail: `the agent could not be ended: ${String(error)}` });
    });
  const close = async () => {
    await lane.close();
    await letGo();
  };
  const giveUp = async () => {
    const closed = lane.close(); // cancels what is being done, such as starting another agent
    if (parts.endsAgent) await endAgent();
    // The current action may hang in a store that does not answer. Agents that it started before are ended, too.
    const isClosed = await Promise.race([closed.then(() => true), pause(timing.graceMs, false)]);
    if (parts.endsAgent && isClosed) await endAgent();
    await Promise.race([letGo(), pause(timing.graceMs)]);
  };
  const once = (how: () => Promise<void>) => (): Promise<void> => {
    if (leaving === undefined) {
      onLeave();
      leaving = how();
    }
    return leaving;
  };
  return { close: once(close), giveUp: once(giveUp) };
}
