import type { AgentEntry } from '../agent-entry.js';
import { growingTranscript } from '../reading/growing-transcript.js';
import { textIn } from '../reading/json.js';

export const builtin: AgentEntry = {
  name: 'builtin',
  title: 'the built-in agent',
  transcripts: {
    agent: 'builtin',
    isOwn: ({ records }) =>
      records.some(
        ({ type, agentVersion, permissions, window }) =>
          type === 'conversation' &&
          textIn(agentVersion) !== undefined &&
          textIn(permissions) !== undefined &&
          window !== undefined,
      ),
    list: async (wanted, user) => (await import('./list-conversations.js')).listBuiltinConversations(wanted, user),
    read: growingTranscript(async () => (await import('./create-builtin-parser.js')).createBuiltinParser),
    resumeCommand: (conversationId) => `devs agent --resume ${conversationId}`,
  },
  createDriver: async ({ clock, everyMs, builtin: own }) => {
    const { createBuiltinDriver } = await import('./driver/create-builtin-driver.js');
    return createBuiltinDriver({ clock, ...own, ...(everyMs === undefined ? {} : { everyMs }) });
  },
};
