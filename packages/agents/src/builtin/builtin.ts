import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createBuiltinParser } from './create-builtin-parser.js';
import { findBuiltinConversation } from './find-conversation.js';

export const builtin: TranscriptSource = {
  agent: 'builtin',
  find: findBuiltinConversation,
  read: (reading) => readGrowingFile(reading, createBuiltinParser),
  resumeCommand: (conversationId) => `devs agent --resume ${conversationId}`,
};
