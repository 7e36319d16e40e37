export { ApiError, PROBLEMS, type ProblemCode } from './api-error.js';
export {
  type ApiClient,
  type CallOptions,
  type ClientDeps,
  createClient,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from './client/create-client.js';
export {
  createLiveClient,
  type LiveClient,
  type LiveClientDeps,
  type LiveSubscription,
  type Ready,
  type Subscriber,
} from './client/create-live-client.js';
export type { LiveSocket, LiveSocketEvents } from './client/live-link.js';
export { BEAT_MS, decodeFrame, encodeFrame, type Frame } from './live/frames.js';
export { ClientMessage, parseServerMessage, ServerMessage, type StreamChoice, Subscription } from './live/messages.js';
export { openApiDocument } from './openapi.js';
export type { Operation, Scope } from './operations/define-operation.js';
export {
  type DoorName,
  type Frozen,
  type Input,
  isDoor,
  OPERATIONS,
  type OperationName,
  type Output,
  type Parsed,
} from './operations/operations.js';
export { type ParsedRoute, parseRoute, placeInput } from './operations/route.js';
export { Problem } from './problem.js';
export { renderOperations } from './render-operations.js';
export type { Caller } from './schema/common.js';
export type { Project } from './schema/records.js';
export type { Question, RunListing } from './schema/run.js';
export type { Terminal } from './schema/terminal.js';
