import type { AgentEntry } from '../agent-entry.js';
import { growingTranscript } from '../reading/growing-transcript.js';
import { objectIn } from '../reading/json.js';
import { codexHooks } from './codex-hooks.js';

export const codex: AgentEntry = {
  name: 'codex',
  title: 'Codex',
  transcripts: {
    agent: 'codex',
    isOwn: ({ records }) =>
      records.some(
        ({ type, payload }) =>
          /^(?:session_meta|turn_context|response_item|event_msg)$/.test(String(type)) &&
          objectIn(payload) !== undefined,
      ),
    list: async (wanted, user) => (await import('./list-conversations.js')).listCodexConversations(wanted, user),
    read: growingTranscript(async () => (await import('./create-codex-parser.js')).createCodexParser),
    resumeCommand: (conversationId) => `codex resume ${conversationId}`,
  },
  createDriver: async ({ devsCommand, ...options }) =>
    (await import('./driver/create-codex-driver.js')).createCodexDriver({
      ...options,
      holder: devsCommand?.('codex-server'),
    }),
  program: { modelArguments: (model) => ['--model', model], asksForTrust: true },
  hooks: {
    name: 'codex',
    longestAnswerChars: 10_000,
    hasBackgroundHooks: false,
    canBeLaunchedWith: false,
    workMarks: ['"type":"message","role":"assistant"', '"type":"function_call', '"type":"custom_tool_call'],
    promptMarks: ['"type":"user_message"', '"role":"user"'],
    wholeDocument: '`devs handoff` shows the whole of it.',
    setup: { kind: 'config', config: codexHooks },
  },
};
