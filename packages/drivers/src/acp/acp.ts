import { growingTranscript } from '../reading/growing-transcript.js';
import { textIn } from '../reading/json.js';
import type { TranscriptSource } from '../reading/transcript-source.js';
import { acpUser } from './acp-places.js';

/** The conversations of all agents that devs reached by ACP, as devs wrote them down. */
export const acp: TranscriptSource = {
  agent: 'acp',
  isOwn: ({ records }) => records.some(({ type, acp: name }) => type === 'conversation' && textIn(name) !== undefined),
  list: async (wanted, user) =>
    (await import('../builtin/list-conversations.js')).listBuiltinConversations(wanted, acpUser(user)),
  read: growingTranscript(async () => (await import('../builtin/create-builtin-parser.js')).createBuiltinParser),
  resumeCommand: () => undefined,
};
