import { hostname } from 'node:os';

/** How this machine is called where several share a store: `DEVS_MACHINE`, else its host name. */
export const machineName = (env: Readonly<Record<string, string | undefined>>): string => {
  const named = (env['DEVS_MACHINE'] ?? '').replace(/[^\w.-]/g, '-').slice(0, MOST_CHARS);
  return named === '' ? hostname() : named;
};

const MOST_CHARS = 60;
