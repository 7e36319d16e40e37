import type { HostedTerminal, ProcessInfo } from '@devs/terminals';
import { actOnTerminal } from './act-on-terminal.js';
import { connectRunningHost } from './connect-running-host.js';
import type { TerminalWorld } from './terminal-world.js';

export interface StopReport {
  readonly name: string;
  readonly wasRunning: boolean;
  /** What was ended, the agent first. */
  readonly ended: readonly Ended[];
  /** What could not be ended. */
  readonly left: readonly Ended[];
}

type Ended = Pick<ProcessInfo, 'pid' | 'command'>;

const GRACE_MS = 3_000;

/** Ends an agent politely, then with everything that it started. */
export async function stopTerminal(world: TerminalWorld, name: string): Promise<StopReport> {
  const host = await connectRunningHost(world);
  try {
    const isThis = ({ terminalId, exit }: HostedTerminal) => terminalId === name && exit === undefined;
    const found = (await host?.list())?.find(isThis);
    const before = found === undefined || host === undefined ? [] : await host.processes(name);
    await actOnTerminal(world, name, { do: 'stop' });
    // One that devs has no records of, or that whoever stopped it before did not live to end.
    const isLeftRunning = async () => (await host?.list())?.some(isThis) === true;
    if (found !== undefined && (await isLeftRunning())) await host?.end(name, { graceMs: GRACE_MS });
    const after = found === undefined || host === undefined ? [] : await host.processes(name).catch(() => []);
    const isLeft = ({ pid, started }: ProcessInfo) =>
      after.some((other) => other.pid === pid && other.started === started);
    const describe = ({ pid, command }: ProcessInfo): Ended => ({ pid, command });
    return {
      name,
      wasRunning: found !== undefined,
      ended: before.filter((candidate) => !isLeft(candidate)).map(describe),
      left: before.filter(isLeft).map(describe),
    };
  } finally {
    host?.close();
  }
}
