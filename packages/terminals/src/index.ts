export { type ConnectedHost, type ConnectRequest, connectHost } from './client/connect-host.js';
export { endLeftovers, findLeftovers, type Leftover } from './client/leftovers.js';
export { type StartLock, tryLock } from './client/start-lock.js';
export { createPacer, type Pacer } from './output/pacer.js';
export { OUTPUT_RETENTION_MS, purgeOutput, purgeTerminalOutput } from './output/purge-output.js';
export { type OutputPart, readOutput } from './output/read-output.js';
export type { EndReport } from './processes/end-tree.js';
export type { ProcessInfo } from './processes/list-processes.js';
export { identifyProcess, isAlive, type ProcessIdentity } from './processes/process-identity.js';
export type { HostedTerminal, Refusal, TerminalExit } from './protocol/messages.js';
export { createScreen, restoreScreen, type Screen, type ScreenOptions } from './screen/create-screen.js';
export { type OpenScreen, type OpenScreenRequest, openScreen, type ScreenSnapshot } from './screen/open-screen.js';
export type {
  KeptScreen,
  SpawnOutcome,
  SpawnRequest,
  TerminalHost,
  TerminalWatch,
  WatchRequest,
  WriteOutcome,
} from './terminal-host.js';
export { TerminalHostRefusedError, TerminalHostUnavailableError } from './terminal-host-error.js';
export { type PressOutcome, type PressRequest, pressConfirmed } from './typing/press-confirmed.js';
export { type TypingRequest, type TypingTerminal, typeConfirmed } from './typing/type-confirmed.js';
