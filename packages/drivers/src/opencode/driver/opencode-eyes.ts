import type { WatchRequest } from '@devs/core';
import type { AgentEyes, Located } from '../../driving/create-agent-watch.js';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';
import type { Standing } from '../../driving/standing.js';
import { listIn, numberIn, objectIn, textIn } from '../../reading/json.js';
import { databasePath } from '../open-database.js';
import { createOpencodePermissions, openPermissions } from './opencode-permissions.js';
import type { OpencodeProcess } from './opencode-process.js';
import { isHome, readOpencodeScreen } from './opencode-screen.js';
import { createOpencodeStanding } from './opencode-standing.js';
import { conversationPath, createOpencodeTail } from './opencode-tail.js';

const SHOW_AGAIN_MS = 1_000;
const SLOWEST_START_MS = 240_000;

/** opencode's traces: its server and its database. The screen counts only for as long as the server does not answer. */
export function opencodeEyes(request: WatchRequest, process: OpencodeProcess): AgentEyes {
  const database = databasePath(request.home, request.env);
  const permissions = createOpencodePermissions();
  const windows = new Map<string, number>();
  let standingOf = createOpencodeStanding();
  let shownAt = 0;
  let isReady = false;
  process.conversationId ??= request.conversationId;

  const locate = async (known: Located | undefined, standing: Standing): Promise<Located | undefined> => {
    isReady = await process.isReady();
    if (!isReady) return known;
    const [statuses, asked] = await Promise.all([ask('/session/status'), ask('/permission')]);
    const facts = process.takeFacts();
    const list = openPermissions(asked, statuses);
    const { conversationId } = process;
    await learnWindows(standing.settings.model);
    return {
      ...(conversationId === undefined ? {} : { conversationId, path: conversationPath(database, conversationId) }),
      ...(statuses === undefined ? {} : { status: saidBy(statuses) }),
      facts: asked === undefined ? facts : [...facts, ...permissions.see(list, facts)],
    };

    function saidBy(all: unknown): Said {
      const permission = permissions.waiting(list);
      if (permission !== undefined) return { says: 'waiting', detail: `${permission.tool}: ${permission.detail}` };
      const status = objectIn(objectIn(all)?.[conversationId ?? '']);
      const type = textIn(status?.type) ?? 'idle';
      if (type === 'idle') return { says: 'idle', detail: 'its server says so' };
      return { says: 'busy', detail: type === 'retry' ? `it tries again: ${textIn(status?.message) ?? ''}` : type };
    }
  };

  const ask = async (path: string): Promise<unknown> => {
    const answer = await process.call({ method: 'GET', path });
    return answer === 'none' || answer.status !== 200 ? undefined : answer.value;
  };

  /** By the names that opencode has for models: `provider/model`. Asked before the first answer, and for each model that is new. */
  const learnWindows = async (model: string | undefined): Promise<void> => {
    if (windows.size > 0 && (model === undefined || windows.has(model))) return;
    const listed = objectIn(await ask('/config/providers'));
    if (listed === undefined) return;
    for (const provider of listIn(listed.providers).map(objectIn)) {
      for (const [name, one] of Object.entries(objectIn(provider?.models) ?? {}))
        windows.set(`${textIn(provider?.id) ?? ''}/${name}`, numberIn(objectIn(objectIn(one)?.limit)?.context) ?? 0);
    }
    const asked = model ?? '';
    if (!windows.has(asked)) windows.set(asked, 0);
  };

  return {
    locate,
    transcript: {
      openTail(path) {
        standingOf = createOpencodeStanding();
        return createOpencodeTail(path);
      },
    },
    recordStanding: (record) => standingOf(record),
    windowOf({ settings }) {
      if (request.windowTokens !== undefined) return { windowTokens: request.windowTokens, source: 'configured' };
      const windowTokens = windows.get(settings.model ?? '') ?? 0;
      return windowTokens > 0 ? { windowTokens, source: 'recorded' } : { windowTokens: 0, source: 'unknown' };
    },
    readTitle: () => NOTHING_SAID,
    readScreen(view) {
      const { toShow } = process;
      if (toShow !== undefined && view.lines.length > 0) {
        // A request to show a conversation is lost before the first screen is drawn.
        if (!isHome(view)) process.toShow = undefined;
        else if (Date.now() - shownAt > SHOW_AGAIN_MS) {
          shownAt = Date.now();
          void process.call({ method: 'POST', path: '/tui/select-session', body: { sessionID: toShow } });
        }
      }
      // It draws its input long before its server answers, and takes no prompt until then.
      return isReady || Date.now() - request.startedAt > SLOWEST_START_MS ? readOpencodeScreen(view) : NOTHING_SAID;
    },
    readHook: () => undefined,
    subscribe(look) {
      const closing = new AbortController();
      void process.hear(look, closing.signal);
      return () => closing.abort();
    },
  };
}
