import type { AgentEntry } from '../agent-entry.js';
import { growingTranscript } from '../reading/growing-transcript.js';
import { listIn, objectIn, textIn } from '../reading/json.js';

export const gemini: AgentEntry = {
  name: 'gemini',
  title: 'Gemini CLI',
  transcripts: {
    agent: 'gemini',
    isOwn: ({ records }) =>
      records.some(
        ({ type, sessionId, projectHash, content, $set }) =>
          (textIn(sessionId) !== undefined && textIn(projectHash) !== undefined) ||
          listIn(objectIn($set)?.messages).length > 0 ||
          ((type === 'gemini' || type === 'user') && content !== undefined),
      ),
    list: async (wanted, user) => (await import('./list-conversations.js')).listGeminiConversations(wanted, user),
    read: growingTranscript(async () => (await import('./create-gemini-parser.js')).createGeminiParser),
    resumeCommand: (conversationId) => `gemini --resume ${conversationId}`,
  },
  createDriver: async (options) => (await import('./driver/create-gemini-driver.js')).createGeminiDriver(options),
  program: { modelArguments: (model) => ['--model', model], asksForTrust: true },
};
