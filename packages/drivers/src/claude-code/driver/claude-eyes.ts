import { dirname, join } from 'node:path';
import type { WatchRequest } from '@devs/core';
import type { AgentEyes, Located } from '../../driving/create-agent-watch.js';
import { parseArguments } from '../../driving/parse-arguments.js';
import { createClaudeCodeParser } from '../create-claude-code-parser.js';
import { CLAUDE_SYNTAX } from './claude-arguments.js';
import { readClaudeHook, readClaudeScreen, readClaudeTitle } from './claude-screen.js';
import { claudeStanding, isTellingForClaude } from './claude-standing.js';
import { windowOfClaude } from './claude-window.js';
import { type ClaudeStatus, findStatus } from './find-status.js';
import { findTranscript } from './find-transcript.js';

/** Claude Code's traces: status file, transcript, title, screen, in this order of trust. */
export function claudeEyes(request: WatchRequest): AgentEyes {
  const { home, env, pid, startedAt, folder } = request;
  const base = env.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const sessions = join(base, 'sessions');
  const args = parseArguments(request.args, CLAUDE_SYNTAX);
  let statusFile: string | undefined;
  let misses = 0;

  const locate = async (known: Located | undefined): Promise<Located> => {
    const searchDescendants = misses < OFTEN || misses % SELDOM === 0;
    const status = await findStatus({ sessions, pid, startedAt, searchDescendants }, statusFile);
    misses = status === undefined ? misses + 1 : 0;
    statusFile = status?.file ?? statusFile;
    const conversationId = status?.conversationId ?? known?.conversationId ?? request.conversationId;
    const path =
      conversationId === undefined
        ? undefined
        : known?.path !== undefined && known.conversationId === conversationId
          ? known.path
          : await findTranscript(join(base, 'projects'), conversationId, status?.folder ?? folder);
    return {
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(path === undefined ? {} : { path }),
      ...whatStatusSays(status),
      listen: new Map([
        [sessions, (name) => name.startsWith(statusFile ?? `${pid}.json`)],
        ...(path === undefined ? [] : [[dirname(path), isOf(conversationId ?? '')] as const]),
      ]),
    };
  };

  return {
    locate,
    transcript: { createParser: createClaudeCodeParser, isTelling: isTellingForClaude },
    recordStanding: claudeStanding,
    windowOf: ({ settings }) => windowOfClaude({ model: settings.model, env, args, configured: request.windowTokens }),
    readTitle: readClaudeTitle,
    readScreen: readClaudeScreen,
    readHook: readClaudeHook,
  };
}

/** A starting agent has its file within seconds; after that it hardly ever gets one. */
const OFTEN = 20;
const SELDOM = 20;

const isOf = (conversationId: string) => (name: string) => name.startsWith(conversationId);

function whatStatusSays(status: ClaudeStatus | undefined): Pick<Located, 'status' | 'background' | 'missed'> {
  if (status?.said === undefined) return {};
  if (status.said.says === 'unknown') return { missed: `sessions/${status.file}: ${status.said.detail}` };
  // Sub-agents make its status busy by themselves.
  return { status: status.said, background: { subAgents: 0, shells: status.hasShells ? 1 : 0 } };
}
