export { acpUser } from './acp/acp-places.js';
export { type AcpDriverOptions, createAcpDriver } from './acp/driver/create-acp-driver.js';
export { builtinStatusFolder, builtinTranscript } from './builtin/builtin-places.js';
export type {
  AgentSays,
  BuiltinFact,
  BuiltinRecord,
  BuiltinStatus,
  ConversationOpened,
  ObservationStatus,
  ToolAnswer,
  UsageOfTurn,
} from './builtin/builtin-record.js';
export { createBuiltinParser } from './builtin/create-builtin-parser.js';
export { type BuiltinDriverOptions, createBuiltinDriver } from './builtin/driver/create-builtin-driver.js';
export { createClaudeCodeParser } from './claude-code/create-claude-code-parser.js';
export {
  type ClaudeCodeDriverOptions,
  createClaudeCodeDriver,
} from './claude-code/driver/create-claude-code-driver.js';
export { streamRecords, streamUser } from './claude-code/driver/stream-places.js';
export { type Holding, holdCodex } from './codex/channel/hold-codex.js';
export { createCodexParser } from './codex/create-codex-parser.js';
export { createCodexDriver } from './codex/driver/create-codex-driver.js';
export type { DriverOptions } from './driving/driver-options.js';
export { shellWords } from './driving/shell-words.js';
export { removePrivateLinks, writePrivateFiles } from './driving/write-private-files.js';
export { createGeminiParser } from './gemini/create-gemini-parser.js';
export { createGeminiDriver } from './gemini/driver/create-gemini-driver.js';
export { createGenericDriver } from './generic/create-generic-driver.js';
export { createOpencodeParser } from './opencode/create-opencode-parser.js';
export { createOpencodeDriver } from './opencode/driver/create-opencode-driver.js';
export {
  type OpencodePosition,
  type OpencodeReading,
  type OpencodeResult,
  readOpencodeConversation,
} from './opencode/read-conversation.js';
export type { ReadPosition } from './reading/line-splitter.js';
export { type KeptReading, type LedgerReading, type ReadLedger, readLedger } from './reading/read-ledger.js';
export { type ReadResult, readTranscript, type TranscriptReading } from './reading/read-transcript.js';
export type {
  FoundConversation,
  SourceReading,
  SourceResult,
  TranscriptSource,
  UserDirs,
} from './reading/transcript-source.js';
export { detectSource, listBuiltinFolders, TRANSCRIPT_SOURCES } from './transcripts.js';
