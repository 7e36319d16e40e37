import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WatchRequest } from '@devs/core';
import { builtinStatusFolder } from '../../builtin/builtin-places.js';
import type { BuiltinStatus } from '../../builtin/builtin-record.js';
import { createBuiltinParser } from '../../builtin/create-builtin-parser.js';
import { readBuiltinStatus } from '../../builtin/driver/builtin-probe.js';
import { readBuiltinScreen } from '../../builtin/driver/builtin-screen.js';
import { builtinStanding, isTellingForBuiltin } from '../../builtin/driver/builtin-standing.js';
import type { AgentProbe, Located } from '../../driving/create-agent-watch.js';
import { parseArguments } from '../../driving/parse-arguments.js';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';
import { createClaudeCodeParser } from '../create-claude-code-parser.js';
import { CLAUDE_SYNTAX } from './claude-arguments.js';
import { readClaudeHook, readClaudeScreen, readClaudeTitle } from './claude-screen.js';
import { claudeStanding, isTellingForClaude } from './claude-standing.js';
import { windowOfClaude } from './claude-window.js';
import { type ClaudeStatus, findStatus } from './find-status.js';
import { streamRecords, streamUser } from './stream-places.js';

/** Of a Claude Code that a program of devs holds by stream-json: the status of that program, its journal, the transcript. */
export function streamProbe(request: WatchRequest): AgentProbe {
  const projects = join(claudeBase(request), 'projects');
  const locate = async (known: Located | undefined): Promise<Located> => {
    const status = await readStreamStatus(request);
    const conversationId = status?.conversation ?? known?.conversationId ?? request.conversationId;
    const isKnown = known?.path !== undefined && known.conversationId === conversationId;
    const path = isKnown
      ? known.path
      : conversationId === undefined
        ? undefined
        : await findTranscript(projects, conversationId, request.folder);
    const beside = status?.path ?? known?.beside;
    return {
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(path === undefined ? {} : { path }),
      ...(beside === undefined ? {} : { beside }),
      ...(status === undefined ? {} : { status: status.said, background: status.background }),
      listen: new Map([
        [dirname(streamRecords(request, request.pid)), isOf(`${request.pid}.json`)],
        ...(path === undefined ? [] : [[dirname(path), isOf(conversationId ?? '')] as const]),
      ]),
    };
  };
  const derived = windowByModel(request);
  return {
    ...CLAUDE_TRACES,
    locate,
    beside: {
      kind: { createParser: createBuiltinParser, isRelevant: isTellingForBuiltin },
      recordStanding: builtinStanding,
    },
    windowOf: (standing) =>
      request.windowTokens === undefined && standing.windowTokens !== undefined
        ? { windowTokens: standing.windowTokens, source: 'recorded' }
        : derived(standing),
    readTitle: () => NOTHING_SAID,
    readScreen: readBuiltinScreen,
  };
}

const claudeBase = ({ home, env }: WatchRequest): string => env.CLAUDE_CONFIG_DIR || join(home, '.claude');

const CLAUDE_TRACES = {
  transcript: { createParser: createClaudeCodeParser, isRelevant: isTellingForClaude },
  recordStanding: claudeStanding,
  readHook: readClaudeHook,
};

const windowByModel = ({ env, args: given, windowTokens }: WatchRequest): AgentProbe['windowOf'] => {
  const args = parseArguments(given, CLAUDE_SYNTAX);
  return ({ settings }) => windowOfClaude({ model: settings.model, env, args, configured: windowTokens });
};

/** Claude Code's traces: status file, transcript, title, screen, in this order of trust. */
export function claudeProbe(request: WatchRequest): AgentProbe {
  const { pid, startedAt, folder } = request;
  const base = claudeBase(request);
  const sessions = join(base, 'sessions');
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
    ...CLAUDE_TRACES,
    locate,
    windowOf: windowByModel(request),
    readTitle: readClaudeTitle,
    readScreen: readClaudeScreen,
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

interface StreamStatus extends Pick<BuiltinStatus, 'conversation' | 'path'> {
  readonly said: Said;
  readonly background: { readonly subAgents: number; readonly shells: number };
}

/** What the program that holds a Claude Code says of itself, while it runs. */
async function readStreamStatus(request: WatchRequest): Promise<StreamStatus | undefined> {
  const folder = builtinStatusFolder(streamUser(request));
  const status = await readBuiltinStatus(`${folder}/${request.pid}.json`, request.startedAt);
  if (status === undefined) return undefined;
  const { conversation, path, says, detail, background = { subAgents: 0, shells: 0 } } = status;
  return { conversation, path, said: { says, detail }, background };
}

/** Finds the transcript of a conversation: the file is named after the id, its folder after the project. */
async function findTranscript(projects: string, conversationId: string, folder: string): Promise<string | undefined> {
  const name = `${conversationId}.jsonl`;
  const likely = join(projects, folder.replace(/[^A-Za-z0-9]/g, '-'), name);
  if (await isThere(likely)) return likely;
  const folders = await readdir(projects).catch(() => []);
  for (const other of folders) {
    const path = join(projects, other, name);
    if (await isThere(path)) return path;
  }
  return undefined;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
