import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createCodexParser } from './create-codex-parser.js';
import { listCodexConversations } from './list-conversations.js';

export const codex: TranscriptSource = {
  agent: 'codex',
  list: listCodexConversations,
  read: (reading) => readGrowingFile(reading, createCodexParser),
  resumeCommand: (conversationId) => `codex resume ${conversationId}`,
};
