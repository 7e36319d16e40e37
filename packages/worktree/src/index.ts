export { checkpointRef } from './checkpoint/checkpoint-ref.js';
export type { LeftOut } from './checkpoint/choose-files.js';
export {
  gitCommitForRefresh,
  type RefreshCommit,
  type RefreshCommitOptions,
} from './checkpoint/git-commit-for-refresh.js';
export {
  type CheckpointLimits,
  type CheckpointOptions,
  type CheckpointRequest,
  type CheckpointResult,
  saveCheckpoint,
} from './checkpoint/save-checkpoint.js';
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
