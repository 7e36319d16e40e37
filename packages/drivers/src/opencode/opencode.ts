import type { AgentEntry } from '../agent-entry.js';
import { EXPORT } from './export-sign.js';

const DATABASE = 'SQLite format 3';
const EXPORT_BYTES = 4_096;

/** A path is that of a conversation in opencode's database, as `list` gives it, or that of what `opencode export` printed. */
export const opencode: AgentEntry = {
  name: 'opencode',
  title: 'opencode',
  transcripts: {
    agent: 'opencode',
    isOwn: ({ bytes }) =>
      bytes.toString('latin1', 0, DATABASE.length) === DATABASE || EXPORT.test(bytes.toString('utf8', 0, EXPORT_BYTES)),
    list: async (wanted, user) => (await import('./list-conversations.js')).listOpencodeConversations(wanted, user),
    read: async (reading) => (await import('./read-opencode.js')).readOpencode(reading),
    resumeCommand: (conversationId) => `opencode --session ${conversationId}`,
  },
  createDriver: async (options) => (await import('./driver/create-opencode-driver.js')).createOpencodeDriver(options),
  program: { modelArguments: (model) => ['--model', model], asksForTrust: false },
};
