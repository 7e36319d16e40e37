import { constants } from 'node:os';

export interface HowEnded {
  readonly exitCode: number;
  readonly signal?: number | undefined;
}

/** `ended with exit code 1`, `was ended by SIGKILL`: the exit code of a process that a signal ended says nothing. Pure. */
export function describeExit({ exitCode, signal = 0 }: HowEnded): string {
  if (signal === 0) return `ended with exit code ${exitCode}`;
  const [name] = Object.entries(constants.signals).find(([, number]) => number === signal) ?? [`signal ${signal}`];
  return `was ended by ${name}`;
}
