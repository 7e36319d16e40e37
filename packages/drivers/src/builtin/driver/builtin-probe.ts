import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WatchRequest } from '@devs/core';
import { configuredOrRecorded } from '../../driving/configured-or-recorded.js';
import type { AgentProbe, Located } from '../../driving/create-agent-watch.js';
import { processTree } from '../../driving/process-files.js';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';
import { numberIn, objectIn, parseObject, textIn } from '../../reading/json.js';
import { builtinStatusFolder, builtinTranscript } from '../builtin-places.js';
import type { AgentSays, BuiltinStatus } from '../builtin-record.js';
import { createBuiltinParser } from '../create-builtin-parser.js';
import { numberInTitle, readBuiltinScreen } from './builtin-screen.js';
import { builtinStanding, isTellingForBuiltin } from './builtin-standing.js';

/** The built-in agent's traces: a status file for its process, and the transcript. */
export function builtinProbe(request: WatchRequest): AgentProbe {
  const { pid, startedAt, folder } = request;
  const running = builtinStatusFolder(request);
  let file = `${pid}.json`;
  let misses = 0;
  let shown: number | undefined;

  const locate = async (known: Located | undefined): Promise<Located> => {
    const status = (await readBuiltinStatus(join(running, file), startedAt)) ?? (await findInTree());
    misses = status === undefined ? misses + 1 : 0;
    const conversationId = status?.conversation ?? known?.conversationId ?? request.conversationId;
    const path =
      status?.path ??
      known?.path ??
      (conversationId === undefined ? undefined : builtinTranscript(request, folder, conversationId));
    return {
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(path === undefined ? {} : { path }),
      ...(status === undefined ? {} : { status: whatItSays(status, shown) }),
      listen: new Map([
        [running, (name) => name.startsWith(file)],
        ...(path === undefined ? [] : [[dirname(path), (name: string) => name === basename(path)] as const]),
      ]),
    };
  };

  /** The process that was started may be a launcher. To look at all processes takes long, so it is not done every time. */
  const findInTree = async (): Promise<BuiltinStatus | undefined> => {
    if (misses >= OFTEN && misses % SELDOM !== 0) return undefined;
    for (const member of await processTree(pid)) {
      const status = await readBuiltinStatus(join(running, `${member}.json`), startedAt);
      if (status === undefined) continue;
      file = `${member}.json`;
      return status;
    }
    return undefined;
  };

  return {
    locate,
    transcript: { createParser: createBuiltinParser, isRelevant: isTellingForBuiltin },
    recordStanding: builtinStanding,
    windowOf: ({ usage }) => configuredOrRecorded(request.windowTokens, usage?.windowTokens),
    readTitle(title) {
      shown = numberInTitle(title) ?? shown;
      return NOTHING_SAID;
    },
    readScreen: readBuiltinScreen,
    readHook: () => undefined,
  };
}

/** The screen may lag behind the status file: text typed at once would go over old content. */
function whatItSays({ says, detail, shown: expected }: BuiltinStatus, shown: number | undefined): Said {
  const isBehind = expected !== undefined && shown !== undefined && shown < expected;
  return isBehind && says !== 'busy' ? { says: 'busy', detail: 'its screen is not drawn yet' } : { says, detail };
}

const OFTEN = 20;
const SELDOM = 20;
/** A file of before belongs to another process that had the same number. */
const CLOCK_SLACK_MS = 5_000;
const SAYS: readonly string[] = ['busy', 'idle', 'waiting'] satisfies readonly AgentSays[];

/** Nothing where there is none, or where it belongs to another process that had the same number. */
export async function readBuiltinStatus(path: string, startedAt: number): Promise<BuiltinStatus | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const record = text === undefined ? undefined : parseObject(text);
  const conversation = textIn(record?.conversation);
  const transcript = textIn(record?.path);
  const says = textIn(record?.says) ?? '';
  const begun = numberIn(record?.startedAt) ?? 0;
  if (conversation === undefined || transcript === undefined || !SAYS.includes(says)) return undefined;
  if (begun < startedAt - CLOCK_SLACK_MS) return undefined;
  const detail = textIn(record?.detail) ?? '';
  const shown = numberIn(record?.shown);
  const background = objectIn(record?.background);
  return {
    conversation,
    path: transcript,
    says: says as AgentSays,
    detail,
    startedAt: begun,
    ...(shown === undefined ? {} : { shown }),
    ...(background === undefined
      ? {}
      : { background: { subAgents: numberIn(background.subAgents) ?? 0, shells: numberIn(background.shells) ?? 0 } }),
  };
}
