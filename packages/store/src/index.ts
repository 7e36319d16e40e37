export { commonGitFolder, type Exclusion, excludeFromGit } from './project/exclude-from-git.js';
export { findProjectRoot } from './project/find-project-root.js';
export { isGitPlace } from './project/is-git-place.js';
export {
  forgetProject,
  type IndexOutcome,
  type IndexPlace,
  type KnownProject,
  listProjects,
  rememberProject,
} from './project/project-index.js';
export { projectIndexFile, type UserDirs } from './project/project-index-file.js';
export { locateProjectStore, type ProjectStore, prepareProjectStore } from './project/project-store.js';
export { createSessionStateFile } from './project/session-state-file.js';
export {
  type IndexedReading,
  type KnownTranscript,
  openRecallIndex,
  type PassagePlace,
  type RecallIndex,
} from './recall/open-recall-index.js';
export type { RedisBackendOptions } from './redis/create-redis-backend.js';
export { checkRedis, findRedisKeys, openRedisBackend, removeRedisKeys } from './redis/on-demand.js';
export { parseRedisUrl } from './redis/parse-redis-url.js';
export type { RedisKeys } from './redis/redis-keys.js';
export { openSqliteBackend, type SqliteBackend, type SqliteBackendOptions } from './sqlite/open-sqlite-backend.js';
