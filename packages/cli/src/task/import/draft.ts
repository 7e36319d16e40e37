import type { NewTask } from '@devs/core';

/** A task as a file describes it, and the line where it does. */
export interface Draft {
  readonly line: number;
  readonly task: Omit<NewTask, 'id'> & { readonly id?: string };
}

export interface ParsedFile {
  readonly drafts: readonly Draft[];
  readonly problems: readonly ImportProblem[];
  /** Lines of a check list that are checked off already. */
  readonly checkedOff: number;
}

export interface ImportProblem {
  readonly line: number;
  readonly problem: string;
}
