import { claudeCode } from './claude-code/claude-code.js';
import { codex } from './codex/codex.js';
import { gemini } from './gemini/gemini.js';
import { opencode } from './opencode/opencode.js';
import type { TranscriptSource } from './reading/transcript-source.js';

export { createClaudeCodeParser } from './claude-code/create-claude-code-parser.js';
export { createCodexParser } from './codex/create-codex-parser.js';
export { createGeminiParser } from './gemini/create-gemini-parser.js';
export { createOpencodeParser } from './opencode/create-opencode-parser.js';
export {
  type OpencodePosition,
  type OpencodeReading,
  type OpencodeResult,
  readOpencodeConversation,
} from './opencode/read-conversation.js';
export {
  type ReadPosition,
  type ReadResult,
  readTranscript,
  type TranscriptReading,
} from './reading/read-transcript.js';
export type { FoundConversation, SourceReading, TranscriptSource, UserPlace } from './reading/transcript-source.js';

/** The agents whose transcripts can be read. */
export const TRANSCRIPT_SOURCES: readonly TranscriptSource[] = [claudeCode, codex, gemini, opencode];
