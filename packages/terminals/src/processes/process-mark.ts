/** In the environment of every agent: whose it is. A child keeps it even if it leaves its session and its parents. */
export const MARK_VARIABLE = 'DEVS_TERMINAL_MARK';
/** In the environment of a host: a host that an agent started for its own terminals is not part of the agent. */
export const HOST_VARIABLE = 'DEVS_TERMINAL_HOST';

export interface Mark {
  /** The host that started it. */
  readonly instance: string;
  readonly terminalId: string;
  /** Which start of this terminal. */
  readonly handle: number;
}

export const renderMark = ({ instance, terminalId, handle }: Mark): string => `${instance}/${terminalId}/${handle}`;

/** What the environment of a process says about its owner. */
export interface Belonging {
  readonly mark: string | undefined;
  readonly isHost: boolean;
}

/** From variables that are separated by zeros, as `/proc` has them, or by blanks, as `ps` prints them. Pure. */
export function readBelonging(environment: string): Belonging {
  const [, mark] = new RegExp(`(?:^|[\\0 ])${MARK_VARIABLE}=([^\\0 ]*)`).exec(environment) ?? [];
  return { mark, isHost: new RegExp(`(?:^|[\\0 ])${HOST_VARIABLE}=`).test(environment) };
}

/** A mark that ends with `/` matches every mark with that prefix. */
export const matchesMark = (mark: string | undefined, wanted: string): boolean =>
  mark !== undefined && (wanted.endsWith('/') ? mark.startsWith(wanted) : mark === wanted);
