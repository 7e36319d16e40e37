export { type ReadWorktreeOptions, readWorktree, type WorktreeLimits } from './read-worktree.js';
export type {
  ChangedFile,
  ChangedLines,
  ChangeKind,
  Commit,
  Operation,
  SubmoduleState,
  Upstream,
  Worktree,
  WorktreeReading,
} from './worktree.js';
