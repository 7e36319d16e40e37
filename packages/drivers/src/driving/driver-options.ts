import type { Clock } from '@devs/core';

export interface DriverOptions {
  readonly clock: Clock;
  /** How long it waits between two looks at the most. */
  readonly everyMs?: number;
}
