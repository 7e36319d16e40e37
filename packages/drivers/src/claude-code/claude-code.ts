import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createClaudeCodeParser } from './create-claude-code-parser.js';
import { listClaudeCodeConversations } from './list-conversations.js';

export const claudeCode: TranscriptSource = {
  agent: 'claude',
  list: listClaudeCodeConversations,
  read: (reading) => readGrowingFile(reading, createClaudeCodeParser),
  resumeCommand: (conversationId) => `claude --resume ${conversationId}`,
};
