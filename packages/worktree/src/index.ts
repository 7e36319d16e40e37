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
export { type CloneRequest, readCloneId } from './clone-id.js';
export { isTracked } from './is-tracked.js';
export type { Printed } from './print-git.js';
export { readHead } from './read-head.js';
export { type RepositoryRoot, readRepositoryRoot } from './read-repository-root.js';
export { type ReadWorktreeOptions, readWorktree, type WorktreeLimits } from './read-worktree.js';
export type { MovedWork } from './run-worktree/align-worktree.js';
export { type DiffRequest, diffRun } from './run-worktree/diff-run.js';
export { type FindRequest, type FoundRunWorktree, findRunWorktree } from './run-worktree/find-run-worktree.js';
export { type KeepRequest, type KeptWork, keepRunWork } from './run-worktree/keep-run-work.js';
export { type ListedRunWorktree, listRunWorktrees } from './run-worktree/list-run-worktrees.js';
export { makeRunWorktree, type RunWorktree, type RunWorktreeRequest } from './run-worktree/make-run-worktree.js';
export { howByHand, type MergeOutcome, type MergeRequest, mergeRun } from './run-worktree/merge-run.js';
export { type ElsewhereWork, findMissingHere, type MissingWork } from './run-worktree/missing-work.js';
export { type Removal, type RemoveRequest, removeRunWorktree } from './run-worktree/remove-run-worktree.js';
export { type CommandRan, type CommandRequest, runCommand } from './run-worktree/run-command.js';
export { type RunCommitsRequest, readRunCommits } from './run-worktree/run-commits.js';
export { oldRunsFolder, runBranch, runsFolder } from './run-worktree/run-place.js';
export { findSandbox, type SandboxFinding } from './sandbox/find-sandbox.js';
export { type OpenedSandbox, openSandbox, type SandboxRequest } from './sandbox/open-sandbox.js';
export { bringBranch } from './travel/bring-branch.js';
export { discardRun } from './travel/discard-run.js';
export { type Fetched, type FetchRequest, fetchWork } from './travel/fetch-work.js';
export type { RemoteRequest } from './travel/network-git.js';
export { dropWork, type Pushed, type PushRequest, pushWork } from './travel/push-work.js';
export { type Remote, reachRemote, readRemote } from './travel/read-remote.js';
export { runRef, taskBaseRef } from './travel/refs.js';
export { type Snapshot, snapshotWork } from './travel/snapshot-work.js';
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
