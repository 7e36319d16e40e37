import { readTranscript } from '../reading/read-transcript.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { createClaudeCodeParser } from './create-claude-code-parser.js';
import { findClaudeCodeConversation } from './find-conversation.js';

export const claudeCode: TranscriptSource = {
  agent: 'claude',
  find: findClaudeCodeConversation,
  async read(reading) {
    const parser = createClaudeCodeParser();
    const result = await readTranscript({ ...reading, parser });
    return { ...result, tally: parser.tally() };
  },
  resumeCommand: (conversationId) => `claude --resume ${conversationId}`,
};
