import type { Clock } from '@devs/core';
import type { Console } from '../screen/console.js';
import type { Terminals } from '../terminal/create-terminals.js';
import type { ServicePlace } from './install-service.js';
import type { PageLink } from './page-link.js';
import type { SupervisorLink } from './supervisor-link.js';

export interface SuperviseServices extends Console {
  readonly version: string;
  readonly clock: Clock;
  readonly terminals: Terminals;
  /** The process that supervises for this user. */
  readonly supervisor: SupervisorLink;
  /** What it shows in a browser. */
  readonly page: PageLink;
  /** Supervises in this process, until it is asked to end. */
  readonly superviseHere: (onBegin: () => void) => Promise<'ended' | 'already-there'>;
  /** Where a service of the user is written. */
  readonly servicePlace: ServicePlace;
}
