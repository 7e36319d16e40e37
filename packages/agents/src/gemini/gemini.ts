import { readGrowingFile } from '../reading/read-growing-file.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createGeminiParser } from './create-gemini-parser.js';
import { findGeminiConversation } from './find-conversation.js';

export const gemini: TranscriptSource = {
  agent: 'gemini',
  find: findGeminiConversation,
  read: (reading) => readGrowingFile(reading, createGeminiParser),
  resumeCommand: (conversationId) => `gemini --resume ${conversationId}`,
};
