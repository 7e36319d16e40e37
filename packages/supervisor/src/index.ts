export type { ContextActionOutcome } from './act/context-action.js';
export type { InterruptOutcome } from './act/interrupt-turn.js';
export { openHostIn } from './host/open-host-in.js';
export type { UserLaunch } from './launch/stored-launch.js';
export type { TerminalNotice } from './notice.js';
export { createSupervisor, type Supervisor } from './process/create-supervisor.js';
export { createHostMemory, type HostMemory } from './process/host-memory.js';
export type {
  Caller,
  MergeNews,
  NotStarted,
  QueueNews,
  QueueOrder,
  RunNews,
  RunOrder,
  RunStarted,
  StoreAddress,
  SupervisorPort,
  SupervisorStatus,
  WaitFor,
} from './process/port.js';
export type {
  Acted,
  TerminalNews,
  TerminalOrder,
  TerminalStarted,
  TerminalsPort,
} from './process/terminal-port.js';
export { createVault } from './process/vault.js';
export { whyHeldTerminalWaits } from './process/why-held-waits.js';
export type { OpenedOrder, OpenedTerminal, Workshop } from './process/workshop.js';
export type { AgentFacts, TerminalFacts } from './record/terminal-facts.js';
export { readTerminalFacts } from './record/terminal-record.js';
export { beginRenewal, type RenewalBegun, type RenewalDeps, type RenewalRequest } from './renewal/begin-renewal.js';
export { finishRenewal } from './renewal/finish-renewal.js';
export type { RenewalPerformer } from './renewal/renewal-performer.js';
export { createRenewalRecord, type RenewalRecord, terminalStream } from './renewal/renewal-record.js';
export { type QueueEnd, summary as summaryOfQueue, type TaskEnd } from './run/queue/queue-end.js';
export { createRunIndex, type RunIndex } from './run/queue/run-index.js';
export { runQueue } from './run/queue/run-queue.js';
export type { QueueRequest } from './run/queue/run-task.js';
export { serveTickets, type TicketRequest } from './run/queue/serve-queue.js';
export type {
  ModelCall,
  RunEnd,
  RunHandle,
  RunParts,
  RunRequest,
  RunStatus,
  RunTiming,
  StartRunOutcome,
} from './run/run.js';
export { startRun } from './run/start-run.js';
export type { Travel } from './run/travel/travel.js';
export { superviseTerminal } from './supervise-terminal.js';
export type {
  RenewOutcome,
  RenewWish,
  SupervisedTerminal,
  SuperviseOutcome,
  SuperviseRequest,
  TerminalStatus,
  UndoOutcome,
} from './supervised-terminal.js';
export type { CheckpointMode, DialogAnswer, HeldTask, OwnWords, SupervisionTiming } from './supervision.js';
export { type LaunchExtras, type TerminalContext, termsOf } from './terminal-context.js';
