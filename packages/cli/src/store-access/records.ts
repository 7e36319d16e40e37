import type { ContextPersistencePort, StoreBackend } from '@devs/core';
import type { StoreLocation } from './store-location.js';

/** A project that devs knows, and where its records are. */
export interface ProjectPlace {
  readonly root: string;
  readonly file: string;
}

/**
 * The records of this user: where they are, and how they are opened.
 *
 * Contract: `open` with `existing` creates no file and no folder; it returns `undefined` without a store. The caller
 * closes what it opens. An existing but unusable store rejects with `StoreUnavailableError`.
 */
export interface Records {
  here(): Promise<ProjectPlace>;
  /** Every project in which this user used devs and that still exists. `onProblem` hears why the list cannot be read. */
  projects(onProblem?: (text: string) => void): Promise<readonly ProjectPlace[]>;
  open(location: StoreLocation, how: 'create' | 'existing'): Promise<StoreBackend | undefined>;
  /** The address of a Redis with the prefix that this project's records have there. */
  addressOf(url: string): Promise<string>;
  /** What could make this store lose something, one sentence each. */
  warnings(location: StoreLocation): Promise<readonly string[]>;
  /** Where the state is left for tools outside. */
  sessionState(file: string): ContextPersistencePort;
  /** What holds the records there, each by its name: files, or the keys of a Redis. Nothing where there are none. */
  holdingsOf(location: StoreLocation): Promise<readonly string[]>;
  /** Removes all that, and the project from the list of projects. */
  purge(location: StoreLocation): Promise<void>;
}
