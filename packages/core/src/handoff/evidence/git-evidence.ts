/** What git says about the work: as `@devs/worktree` reads it, as far as a handoff needs it. */
export interface GitEvidence {
  /** Missing where no branch is checked out. */
  readonly branch?: string;
  readonly upstream?: { readonly name: string; readonly ahead?: number; readonly behind?: number };
  /** Begun and not finished. */
  readonly operation?: { readonly kind: string; readonly branch?: string };
  readonly changes: readonly GitChange[];
  /** How many changed files there are beyond those in `changes`. */
  readonly moreChanges: number;
  /** Newest first. */
  readonly commits: readonly GitCommit[];
  /** Where the conversation's folder is in the repository: empty, or with a slash at its end. */
  readonly folder?: string;
}

export interface GitChange {
  /** From the top folder of the repository. */
  readonly path: string;
  readonly from?: string;
  readonly state: 'changed' | 'untracked' | 'conflicted';
  readonly staged?: string;
  readonly unstaged?: string;
  readonly lines?: { readonly added: number; readonly deleted: number } | 'binary';
}

export interface GitCommit {
  readonly hash: string;
  readonly subject: string;
  /** ISO 8601 */
  readonly at: string;
}
