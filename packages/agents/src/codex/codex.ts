import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createCodexParser } from './create-codex-parser.js';
import { findCodexConversation } from './find-conversation.js';

export const codex: TranscriptSource = {
  agent: 'codex',
  find: findCodexConversation,
  read: (reading) => readGrowingFile(reading, createCodexParser),
  resumeCommand: (conversationId) => `codex resume ${conversationId}`,
};
