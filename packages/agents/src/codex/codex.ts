import { readTranscript } from '../reading/read-transcript.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createCodexParser } from './create-codex-parser.js';
import { findCodexConversation } from './find-conversation.js';

export const codex: TranscriptSource = {
  agent: 'codex',
  find: findCodexConversation,
  async read(reading) {
    const parser = createCodexParser();
    const result = await readTranscript({ ...reading, parser });
    return { ...result, tally: parser.tally() };
  },
  resumeCommand: (conversationId) => `codex resume ${conversationId}`,
};
