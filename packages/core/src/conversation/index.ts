export { type ConversationEntry, conversationEntry } from './conversation-entry.js';
export type {
  ContextCleared,
  ContextCompacted,
  ConversationDescribed,
  ConversationEvent,
  ConversationFact,
  ConversationTaskStatus,
  InputKind,
  InputNoted,
  NoteWritten,
  PlanApproved,
  RequestMade,
  SummaryWritten,
  TaskChanged,
  TasksReplaced,
  ThoughtWritten,
  ToolAnswered,
  ToolCalled,
  UsageGrew,
  UsageReported,
} from './conversation-event.js';
export type { Provenance } from './provenance.js';
export type { ChangeMode, LineRange, ToolAction } from './tool-action.js';
export type { LinePosition, TranscriptParser, TranscriptTally } from './transcript-parser.js';
