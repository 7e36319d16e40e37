import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createBuiltinParser } from './create-builtin-parser.js';
import { listBuiltinConversations } from './list-conversations.js';

export const builtin: TranscriptSource = {
  agent: 'builtin',
  list: listBuiltinConversations,
  read: (reading) => readGrowingFile(reading, createBuiltinParser),
  resumeCommand: (conversationId) => `devs agent --resume ${conversationId}`,
};
