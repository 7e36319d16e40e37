import type { AskedPermission, JsonObject, ScreenView, WatchRequest } from '@devs/core';
import { configuredOrRecorded } from '../../driving/configured-or-recorded.js';
import type { AgentProbe, Located } from '../../driving/create-agent-watch.js';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';
import type { Standing } from '../../driving/standing.js';
import { listIn, numberIn, objectIn, textIn } from '../../reading/json.js';
import { databasePath } from '../open-database.js';
import type { OpencodeConnection } from './opencode-connection.js';
import { createOpencodePermissions, openPermissions } from './opencode-permissions.js';
import type { OpencodeProcess } from './opencode-process.js';
import { isHome, readOpencodeScreen } from './opencode-screen.js';
import { createOpencodeStanding } from './opencode-standing.js';
import { conversationPath, createOpencodeTail } from './opencode-tail.js';

/** The windows of the models, by the names that opencode has for them: `provider/model`. */
class OpencodeWindows {
  readonly #tokens = new Map<string, number>();

  /** Asked before the first answer, and for each model that is new. */
  async learn(model: string | undefined, server: OpencodeConnection): Promise<void> {
    if (this.#tokens.size > 0 && (model === undefined || this.#tokens.has(model))) return;
    const listed = objectIn(await server.ask('/config/providers'));
    if (listed === undefined) return;
    for (const provider of listIn(listed.providers).map(objectIn)) {
      for (const [name, one] of Object.entries(objectIn(provider?.models) ?? {})) {
        const tokens = numberIn(objectIn(objectIn(one)?.limit)?.context) ?? 0;
        this.#tokens.set(`${textIn(provider?.id) ?? ''}/${name}`, tokens);
      }
    }
    const asked = model ?? '';
    if (!this.#tokens.has(asked)) this.#tokens.set(asked, 0);
  }

  /** 0 where it is not known. */
  of(model: string | undefined): number {
    return this.#tokens.get(model ?? '') ?? 0;
  }
}

const SHOW_AGAIN_MS = 1_000;
const SLOWEST_START_MS = 240_000;

/** opencode's traces: its server and its database. The screen counts only for as long as the server does not answer. */
export function opencodeProbe(request: WatchRequest, process: OpencodeProcess): AgentProbe {
  const database = databasePath(request.home, request.env);
  const permissions = createOpencodePermissions();
  const windows = new OpencodeWindows();
  const show = createShower(process);
  let standingOf = createOpencodeStanding();
  let isReady = false;
  process.conversationId ??= request.conversationId;

  const locate = async (known: Located | undefined, standing: Standing): Promise<Located | undefined> => {
    const { server } = process;
    isReady = await server.isReady();
    if (!isReady) return known;
    const [statuses, asked] = await Promise.all([server.ask('/session/status'), server.ask('/permission')]);
    const facts = process.takeFacts();
    const list = openPermissions(asked, statuses);
    const { conversationId } = process;
    await windows.learn(standing.settings.model, server);
    const status = objectIn(objectIn(statuses)?.[conversationId ?? '']);
    return {
      ...(conversationId === undefined ? {} : { conversationId, path: conversationPath(database, conversationId) }),
      ...(statuses === undefined ? {} : { status: saidBy(status, permissions.waiting(list)) }),
      facts: asked === undefined ? facts : [...facts, ...permissions.see(list, facts)],
    };
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
    windowOf: ({ settings }) => configuredOrRecorded(request.windowTokens, windows.of(settings.model)),
    readTitle: () => NOTHING_SAID,
    readScreen(view) {
      show(view);
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

function saidBy(status: JsonObject | undefined, permission: AskedPermission | undefined): Said {
  if (permission !== undefined) return { says: 'waiting', detail: `${permission.tool}: ${permission.detail}` };
  const type = textIn(status?.type) ?? 'idle';
  if (type === 'idle') return { says: 'idle', detail: 'its server says so' };
  return { says: 'busy', detail: type === 'retry' ? `it tries again: ${textIn(status?.message) ?? ''}` : type };
}

/** Asks again for the conversation that should be shown: a request before the first screen is drawn is lost. */
function createShower(process: OpencodeProcess) {
  let askedAt = 0;
  return (view: ScreenView): void => {
    const { toShow } = process;
    if (toShow === undefined || view.lines.length === 0) return;
    if (!isHome(view)) process.toShow = undefined;
    else if (Date.now() - askedAt > SHOW_AGAIN_MS) {
      askedAt = Date.now();
      void process.server.call({ method: 'POST', path: '/tui/select-session', body: { sessionID: toShow } });
    }
  };
}
