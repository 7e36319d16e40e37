import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createClaudeCodeParser } from './create-claude-code-parser.js';
import { findClaudeCodeConversation } from './find-conversation.js';

export const claudeCode: TranscriptSource = {
  agent: 'claude',
  find: findClaudeCodeConversation,
  read: (reading) => readGrowingFile(reading, createClaudeCodeParser),
  resumeCommand: (conversationId) => `claude --resume ${conversationId}`,
};
