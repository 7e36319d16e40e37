import { dirname, join } from 'node:path';
import { packageFolder } from '../package-folder.js';

/** Where the supervisor of one user is; all of it for the user alone. */
export interface SupervisorPlaces {
  readonly folder: string;
  /** Of the API, for commands and programs. */
  readonly socket: string;
  /** What was entrusted to it and is not over. */
  readonly entrusted: string;
  readonly log: string;
  /** There while the user wants it to stay (`devs up`). */
  readonly stays: string;
  /** There after `devs down`: what is left waits until the user wants something. */
  readonly ended: string;
}

/** Beside the list of the user's projects, as the host of the terminals. */
export function supervisorPlaces(projectIndexFile: string): SupervisorPlaces {
  const folder = join(dirname(projectIndexFile), 'supervisor');
  return {
    folder,
    socket: join(folder, 'api.sock'),
    entrusted: join(folder, 'entrusted'),
    log: join(folder, 'supervisor.log'),
    stays: join(folder, 'stays'),
    ended: join(folder, 'ended'),
  };
}

/** The built page, beside this package. */
export const pageFolder = (): string => join(packageFolder(), '..', 'dashboard', 'dist', 'page');
