import { dirname, join } from 'node:path';

/** Where the terminals of one user are kept; all of it for them alone. */
export interface TerminalPlaces {
  /** Of the host: its socket, its records and what agents printed. */
  readonly hostFolder: string;
  readonly registryFolder: string;
  /** For what an agent is told by file. */
  privateFolder(name: string): string;
}

/** Beside the list of the user's projects. */
export function terminalPlaces(projectIndexFile: string): TerminalPlaces {
  const folder = join(dirname(projectIndexFile), 'terminals');
  return {
    hostFolder: folder,
    registryFolder: join(folder, 'names'),
    privateFolder: (name) => join(folder, 'private', name),
  };
}
