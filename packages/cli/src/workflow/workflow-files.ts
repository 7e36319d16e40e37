/** A workflow file that can be named without its path. */
export interface FoundWorkflow {
  readonly name: string;
  readonly path: string;
  /** The path for people: short where the file is near. */
  readonly shown: string;
  readonly origin: 'project' | 'shipped';
}

export interface MadeWorkflow extends FoundWorkflow {
  /** The JSON Schema beside it, for editors; `undefined` where devs came without one. */
  readonly schema: string | undefined;
}

/**
 * The workflow files that this user can name, and the making of new ones.
 *
 * Contract: `find` looks only, and gives a project's own instead of a shipped one of the same name. `make` writes a file
 * of the project, never over another one, and rejects with a `CliError` that says why it could not.
 */
export interface WorkflowFiles {
  find(): Promise<readonly FoundWorkflow[]>;
  make(name: string, text: string): Promise<MadeWorkflow>;
}
