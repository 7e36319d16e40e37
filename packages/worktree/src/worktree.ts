/** What git says about a folder, or why it says nothing. Nothing here is an error of ours. */
export type WorktreeReading =
  | { readonly outcome: 'read'; readonly worktree: Worktree }
  /** git is not installed, or not in the path. */
  | { readonly outcome: 'no-git' }
  | { readonly outcome: 'no-folder' }
  | { readonly outcome: 'no-repository' }
  /** A bare repository, or a folder inside `.git`. */
  | { readonly outcome: 'no-work-tree' }
  /** git did not answer in time and was killed with everything it had started. */
  | { readonly outcome: 'timed-out'; readonly afterMs: number }
  | { readonly outcome: 'cancelled' }
  /** git refused, e.g. because the repository belongs to another user. */
  | { readonly outcome: 'failed'; readonly message: string };

export interface Worktree {
  /** The top folder. All paths begin there. */
  readonly root: string;
  /** The folder that was asked about, below the top and with a slash at its end; empty for the top itself. */
  readonly folder: string;
  /** Missing where no branch is checked out (a detached head, also during a rebase). */
  readonly branch?: string;
  /** Missing in a repository without commits. */
  readonly commit?: string;
  readonly upstream?: Upstream;
  readonly operation?: Operation;
  readonly changes: readonly ChangedFile[];
  /** How many changed files there are beyond those in `changes`. */
  readonly moreChanges: number;
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** Parts left out because git did not answer in time, as sentences. */
  readonly leftOut: readonly string[];
}

export interface Upstream {
  readonly name: string;
  /** Commits that only this branch has, and that only the upstream has. Missing where the upstream is gone. */
  readonly ahead?: number;
  readonly behind?: number;
}

/** Begun and not finished. */
export interface Operation {
  readonly kind: 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' | 'am';
  /** The branch that is being rebased. */
  readonly branch?: string;
}

export interface ChangedFile {
  readonly path: string;
  /** Previous path of a renamed file, or the source of a copy. */
  readonly from?: string;
  readonly state: 'changed' | 'untracked' | 'conflicted';
  /** Against the last commit, as it would be committed now. */
  readonly staged?: ChangeKind;
  /** Compared with the index. */
  readonly unstaged?: ChangeKind;
  /** Set where the path is a submodule. */
  readonly submodule?: SubmoduleState;
  /** Against the last commit, staged or not. git counts none for untracked files and submodules. */
  readonly lines?: ChangedLines;
}

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed';

export interface SubmoduleState {
  readonly commitChanged: boolean;
  readonly modified: boolean;
  readonly untracked: boolean;
}

export type ChangedLines = { readonly added: number; readonly deleted: number } | 'binary';

export interface Commit {
  readonly hash: string;
  readonly subject: string;
  /** When it was committed (ISO 8601). */
  readonly at: string;
}
