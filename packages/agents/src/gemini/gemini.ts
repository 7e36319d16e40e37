import { readTranscript } from '../reading/read-transcript.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createGeminiParser } from './create-gemini-parser.js';
import { findGeminiConversation } from './find-conversation.js';

export const gemini: TranscriptSource = {
  agent: 'gemini',
  find: findGeminiConversation,
  async read(reading) {
    const parser = createGeminiParser();
    const result = await readTranscript({ ...reading, parser });
    return { ...result, tally: parser.tally() };
  },
  resumeCommand: (conversationId) => `gemini --resume ${conversationId}`,
};
