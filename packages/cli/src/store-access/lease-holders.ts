import { hostname } from 'node:os';

/** How this machine is called where several share a store: `DEVS_MACHINE`, else its host name. */
export const machineName = (env: Readonly<Record<string, string | undefined>>): string => {
  const named = (env['DEVS_MACHINE'] ?? '').replace(/[^\w.-]/g, '-').slice(0, MAX_CHARS);
  return named === '' ? hostname() : named;
};

const MAX_CHARS = 60;

interface Machine {
  readonly hostName: string;
  readonly isAlive: (pid: number) => boolean;
}

/** How a process calls itself where it holds something. */
export const holderName = (userName: string, hostName: string, pid: number) => `${userName}@${hostName} (${pid})`;

/**
 * Whether a holder is a process of this machine that has ended. Its lease may last for hours by a clock that was set back; the
 * process does not. Of other machines nothing is known.
 */
export const createIsGone =
  ({ hostName, isAlive }: Machine) =>
  (by: string): boolean => {
    const [, host, pid] = /@([^@]+) \((\d+)\)$/.exec(by) ?? [];
    return host === hostName && pid !== undefined && !isAlive(Number(pid));
  };
