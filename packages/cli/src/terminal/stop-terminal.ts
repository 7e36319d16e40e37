import type { HostedTerminal, ProcessInfo } from '@devs/terminals';
import type { AskedSupervisor } from '../supervise/asked-supervisor.js';
import { takeUp } from './ask-supervisor.js';
import { connectRunningHost } from './connect-running-host.js';
import type { SupervisedWorld } from './terminal-world.js';

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
export async function stopTerminal(world: SupervisedWorld, name: string): Promise<StopReport> {
  const host = await connectRunningHost(world);
  try {
    const isThis = ({ terminalId, exit }: HostedTerminal) => terminalId === name && exit === undefined;
    const found = (await host?.list())?.find(isThis);
    const before = found === undefined || host === undefined ? [] : await host.processes(name);
    await stopSupervised(world, name, found !== undefined);
    // One without records, or whose stop was recorded by a process that died before it ended the agent.
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

/** Through the supervisor, which records it. A terminal that is neither running nor supervised needs no supervisor. */
async function stopSupervised(world: SupervisedWorld, name: string, isRunning: boolean): Promise<void> {
  const { supervisor } = world;
  const stop = (port: AskedSupervisor) => port.terminals.stop(name);
  if (!isRunning) return void (await supervisor.ask(stop));
  const first = await supervisor.use(stop);
  if (first.status === 'not-supervised' && (await takeUp(world, name)).status === 'started') await supervisor.use(stop);
}
