export * from './agent-driver/index.js';
export { archivableRuns, toArchive } from './archive/archivable-runs.js';
export { ARCHIVE_STREAM, type Archiving, archivingOf, runsArchived } from './archive/archive-event.js';
export * from './config/index.js';
export * from './conversation/index.js';
export { DevsError, type DevsErrorCode } from './errors/devs-error.js';
export { InvalidOptionError } from './errors/invalid-option-error.js';
export { messageOf } from './errors/message-of.js';
export { ModelAnswerError } from './errors/model-answer-error.js';
export {
  DamagedEventError,
  ForeignStoreError,
  StoreContendedError,
  StoreInputError,
  StoreReplacedError,
  StoreUnavailableError,
} from './errors/store-errors.js';
export { createEventLog, type StoreDeps } from './event-log/create-event-log.js';
export { defineStream, eventOf, newEvent } from './event-log/define-stream.js';
export { openStore, type Snapshots, type Store } from './event-log/open-store.js';
export { collect, readAll, readNewest, readUndamaged } from './event-log/read-log.js';
export type { RunHandoff, RunHandoffs } from './event-log/run-handoffs.js';
export { StreamCursor } from './event-log/stream-cursor.js';
export { describeEvent } from './event-words/describe-event.js';
export { hasLabels } from './fleet/has-labels.js';
export {
  addMachineEvent,
  type KnownMachine,
  MACHINES_STREAM,
  type MachineFacts,
  machineJoined,
  machineLease,
  machineLeft,
} from './fleet/machine-event.js';
export { type Fleet, type ListedMachine, readMachines } from './fleet/read-machines.js';
export { type UnmetNeed, unmetNeeds } from './fleet/unmet-needs.js';
export * from './handoff/index.js';
export { createLeases } from './leases/create-leases.js';
export * from './orchestrator/index.js';
export { orderByDependency } from './order-by-dependency.js';
export * from './permissions/index.js';
export type {
  AgentChannel,
  AgentErrorKind,
  AskedPermission,
  ChannelRequest,
  HandOver,
  PermissionChoice,
  PermissionChoiceKind,
  PermissionSubject,
} from './ports/agent-channel.js';
export type {
  AgentCommand,
  AgentDriver,
  AgentEvent,
  AgentInspection,
  AgentSettings,
  AgentTransport,
  AgentWatch,
  Environment,
  HookRequest,
  LaunchConversation,
  LaunchPlan,
  LaunchRequest,
  LaunchSite,
  McpServer,
  PermissionSettler,
  PrivateFile,
  UsageMeasured,
  WatchRequest,
  WindowSource,
} from './ports/agent-driver.js';
export type { Clock } from './ports/clock.js';
export type { ContextPersistencePort } from './ports/context-persistence-port.js';
export type { Dispatcher, Machine, Ticket } from './ports/dispatcher.js';
export type { Appended, EventLog, FollowQuery, NewEvent, ReadQuery, StoredEvent } from './ports/event-log.js';
export type { JsonObject, JsonValue } from './ports/json.js';
export type { HeldLease, LeaseOutcome, LeaseRequest, Leases, NamedLease } from './ports/leases.js';
export type {
  ChangeQuery,
  Commit,
  CommitResult,
  LeaseRecord,
  LeaseSwap,
  Snapshot,
  StoreBackend,
  StreamAppend,
  TaskChange,
  TaskPage,
  TaskQuery,
  Trim,
} from './ports/store-backend.js';
export {
  type ClaimOutcome,
  type ClaimRequest,
  type Held,
  type Lease,
  type NewTask,
  type RefusedTask,
  TASK_STATUSES,
  type TaskEdit,
  type TaskOutcome,
  type TaskQueue,
  type TaskRecord,
  type TaskRefusal,
  type TaskStatus,
} from './ports/task-queue.js';
export * from './pressure/index.js';
export { contextRefreshText } from './protocol/context-refresher.js';
export * from './protocol/index.js';
export * from './recall/index.js';
export { holdsKnownSecret } from './redaction/holds-known-secret.js';
export { redactJson } from './redaction/redact-json.js';
export { redactText } from './redaction/redact-text.js';
export { secretsIn } from './redaction/secrets-in.js';
export * from './renewal/index.js';
export * from './report/index.js';
export * from './run/index.js';
export * from './sandbox/index.js';
export { createSerialQueue } from './serial-queue.js';
export { believed, jsonOf } from './stored-json.js';
export * from './supervisor-state/index.js';
export { createTaskQueue } from './task-queue/create-task-queue.js';
export { foldTask } from './task-queue/fold-task.js';
export { taskIdOf } from './task-queue/task-stream.js';
export * from './terminal/index.js';
export { showHiddenMarks } from './text/show-hidden-marks.js';
export { estimateTokens } from './tokens/estimate-tokens.js';
export { fitTokens } from './tokens/fit-tokens.js';
export { timeOfDay } from './waiting/time-of-day.js';
export { type RunSigns, type TerminalSigns, whyRunWaits, whyTerminalWaits } from './waiting/why-it-waits.js';
export * from './workflow/machine.js';
