import type { AgentDriver, Clock, Settings } from '@devs/core';
import type { Caller } from '@devs/supervisor';
import type { Records } from '../store-access/create-records.js';
import type { StoreLocation } from '../store-access/store-location.js';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import type { TerminalChoices } from './choices/terminal-choices.js';
import type { TerminalRegistry } from './names/terminal-registry.js';
import type { TerminalPlaces } from './places.js';
import type { LocalTerminal } from './relay/local-terminal.js';

/** What terminals are made of, for one caller. */
export interface TerminalSurroundings {
  readonly places: TerminalPlaces;
  readonly registry: TerminalRegistry;
  readonly records: Records;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Where the user stands. */
  readonly folder: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly isGone: (by: string) => boolean;
  /** Who supervises, for others to see. */
  readonly by: string;
  readonly timeZone?: string;
  readonly warn: (text: string) => void;
  readonly loadTerminals: () => Promise<typeof import('@devs/terminals')>;
  readonly loadSupervisor: () => Promise<typeof import('@devs/supervisor')>;
  readonly driverOf: (agent: string, own?: Settings['agents']) => Promise<AgentDriver | undefined>;
  /** What the configuration says about terminals there. Never rejects. */
  readonly choicesIn: (folder: string) => Promise<TerminalChoices>;
  /** Where agents in a folder store what they hand over; `shared`: by several machines. `undefined` where it is gone. */
  readonly handoffStreamOf: (folder: string, store: 'own' | 'shared') => Promise<string | undefined>;
  /** What starts devs: `[node, devs.mjs]`. */
  readonly devsCommand: readonly string[];
  /** What `DEVS_STORE` names. */
  readonly storeSetting: StoreLocation | undefined;
}

/** The same, with the supervisor that holds the terminals. */
export interface SupervisedWorld extends TerminalSurroundings {
  readonly supervisor: Pick<SupervisorLink, 'use' | 'once' | 'ask'>;
  /** What is started gets this environment. */
  readonly caller: Caller;
}

/** The same for a command, which sits in front of a user. */
export interface TerminalDeps extends SupervisedWorld {
  readonly local: LocalTerminal;
  readonly supervisor: SupervisorLink;
}
