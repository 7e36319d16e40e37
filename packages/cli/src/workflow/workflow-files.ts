import type { WaitingFile } from '../trust/waiting-file.js';

/** A workflow file that can be named without its path. */
export interface FoundWorkflow {
  readonly name: string;
  readonly path: string;
  /** The path for people: short where the file is near. */
  readonly shown: string;
  readonly origin: 'project' | 'shipped';
  /** A file of the project that has the same name and does not count, for people. */
  readonly ignored?: string;
}

export interface MadeWorkflow extends FoundWorkflow {
  /** The JSON Schema beside it, for editors; `undefined` where devs came without one. */
  readonly schema: string | undefined;
}

/**
 * The workflow files that this user can name, and the making of new ones.
 *
 * Contract: `find` looks only, and gives a project's own instead of a shipped one of the same name where this user made it.
 * `make` writes a file of the project, never over another one, and rejects with a `CliError` that says why it could not.
 */
export interface WorkflowFiles {
  find(): Promise<readonly FoundWorkflow[]>;
  /** The text, to look at it. */
  read(found: FoundWorkflow): Promise<string>;
  /** The file as waiting for the user's agreement; `undefined` if it counts. */
  waiting(file: {
    readonly path: string;
    readonly shown: string;
    readonly text: string;
  }): Promise<WaitingFile | undefined>;
  make(name: string, text: string): Promise<MadeWorkflow>;
}
