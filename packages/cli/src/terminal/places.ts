import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';

/** Where the terminals of one user are kept; all of it for him alone. */
export interface TerminalPlaces {
  /** Of the host: its socket, its records and what agents printed. */
  readonly hostFolder: string;
  readonly registryFolder: string;
  readonly controlFolder: string;
  /** Where whoever supervises a terminal listens. */
  controlSocket(name: string): string;
  /** For what an agent is told by file. */
  privateFolder(name: string): string;
}

/** Beside the list of the user's projects. The paths of sockets must be short, so a name becomes a number. */
export function terminalPlaces(projectIndexFile: string): TerminalPlaces {
  const folder = join(dirname(projectIndexFile), 'terminals');
  const controlFolder = join(folder, 'control');
  return {
    hostFolder: folder,
    registryFolder: join(folder, 'names'),
    controlFolder,
    controlSocket: (name) => join(controlFolder, createHash('sha256').update(name).digest('hex').slice(0, 12)),
    privateFolder: (name) => join(folder, 'private', name),
  };
}
