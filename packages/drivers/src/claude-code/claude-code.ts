import type { AgentEntry } from '../agent-entry.js';
import { growingTranscript } from '../reading/growing-transcript.js';
import { objectIn, textIn } from '../reading/json.js';

export const claudeCode: AgentEntry = {
  name: 'claude',
  title: 'Claude Code',
  transcripts: {
    agent: 'claude',
    isOwn: ({ records }) =>
      records.some(
        ({ type, message, sessionId, leafUuid }) =>
          ((type === 'user' || type === 'assistant') && objectIn(message) !== undefined) ||
          (typeof type === 'string' && (textIn(sessionId) !== undefined || textIn(leafUuid) !== undefined)),
      ),
    list: async (wanted, user) => (await import('./list-conversations.js')).listClaudeCodeConversations(wanted, user),
    read: growingTranscript(async () => (await import('./create-claude-code-parser.js')).createClaudeCodeParser),
    resumeCommand: (conversationId) => `claude --resume ${conversationId}`,
  },
  createDriver: async (options) =>
    (await import('./driver/create-claude-code-driver.js')).createClaudeCodeDriver(options),
  program: { modelArguments: (model) => ['--model', model], asksForTrust: true },
  hooks: {
    name: 'claude-code',
    longestAnswerChars: 10_000,
    hasBackgroundHooks: true,
    canBeLaunchedWith: true,
    workMarks: ['"type":"assistant"', '"type":"tool_result"'],
    promptMarks: ['"type":"user"'],
    wholeDocument: '`/devs:handoff` shows the whole of it.',
    setup: {
      kind: 'plugin',
      advice: 'Claude Code takes its hooks from a plugin: claude --plugin-dir plugins/claude-code',
    },
  },
};
