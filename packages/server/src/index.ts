export type { Admission } from './admission/create-door.js';
export type { Identity } from './admission/identity.js';
export { type ApiServer, createServer, type ServerDeps } from './create-server.js';
export type { Action, PageFile } from './http/create-app.js';
export { LIMITS, type Limits } from './listen/limits.js';
export { UnsafeSocketError } from './listen/private-folder.js';
export type {
  CallContext,
  DiffRun,
  FileHandlers,
  Handler,
  Handlers,
  ProjectPaths,
  ProjectsPort,
  ReadConversation,
  ServedSupervisor,
  SupervisedChange,
  SupervisedNotice,
  SupervisorName,
} from './served-supervisor.js';
