import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createGeminiParser } from './create-gemini-parser.js';
import { listGeminiConversations } from './list-conversations.js';

export const gemini: TranscriptSource = {
  agent: 'gemini',
  list: listGeminiConversations,
  read: (reading) => readGrowingFile(reading, createGeminiParser),
  resumeCommand: (conversationId) => `gemini --resume ${conversationId}`,
};
