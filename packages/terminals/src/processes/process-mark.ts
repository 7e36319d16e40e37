import { readEnvironment } from './list-processes.js';

/** In the environment of every agent: whose it is. A child keeps it even if it leaves its session and its parents. */
export const MARK_VARIABLE = 'DEVS_TERMINAL_MARK';
/** In the environment of a host: one that an agent started for terminals of its own is not part of the agent. */
export const HOST_VARIABLE = 'DEVS_TERMINAL_HOST';

export interface Mark {
  /** The host that started it. */
  readonly instance: string;
  readonly terminalId: string;
  /** Which start of this terminal. */
  readonly handle: number;
}

export const renderMark = ({ instance, terminalId, handle }: Mark): string => `${instance}/${terminalId}/${handle}`;

/** Whether a process carries this mark, or one that begins with it. */
export const isMarked = (pid: number, mark: string): boolean => {
  const environment = readEnvironment(pid);
  const at = environment.indexOf(`${MARK_VARIABLE}=${mark}`);
  if (at === -1) return false;
  const next = environment[at + MARK_VARIABLE.length + 1 + mark.length];
  return mark.endsWith('/') || next === undefined || next === '\0' || next === ' ';
};

export const isHost = (pid: number): boolean => readEnvironment(pid).includes(`${HOST_VARIABLE}=`);
