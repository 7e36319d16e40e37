import type { JsonObject } from '@devs/core';
import type { SpecFiles } from '../run/agent-arguments.js';

/** What can be seen of a project from outside. */
export interface ProjectLook {
  /** Absolute. */
  readonly root: string;
  readonly isRepository: boolean;
  /** Without one no worktree can be made. */
  readonly hasCommit: boolean;
  readonly specs: SpecFiles;
  /** Commands that make a fresh checkout work, and those that test it, by the files that are there. */
  readonly setup: readonly (readonly string[])[];
  readonly checks: readonly (readonly string[])[];
  /** Files of the user's own that git usually ignores. */
  readonly ownFiles: readonly string[];
}

/** `path` counts from the root of the project. */
interface NewFile {
  readonly path: string;
  readonly kind: 'settings' | 'workflow';
  readonly text: string;
}

/**
 * The folder of a project, for `devs init`.
 *
 * Contract: `look` only looks. `write` makes a file that is not there yet; `false` where it is, and it is left as it is. The user made it, so it
 * needs no agreement. It rejects with a `CliError` that says why a file could not be written.
 */
export interface ProjectFolder {
  look(): Promise<ProjectLook>;
  /** The project's description for prompts, from its README, package.json and specs. */
  describe(): Promise<JsonObject>;
  /** `path` counts from the root of the project. */
  exists(path: string): Promise<boolean>;
  write(file: NewFile): Promise<boolean>;
}
