import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@devs/core';
import type { StandingFact } from '../../driving/standing-fact.js';
import { objectIn, textIn } from '../../reading/json.js';
import { callOpencode, hearOpencode, type OpencodeAnswer, type OpencodeCall } from './call-opencode.js';
import { type OpencodeServer, readServer } from './opencode-server.js';
import { errorFacts } from './opencode-standing.js';

/** One opencode process, as its server tells of it: shared by its watch and its channel. */
export interface OpencodeProcess {
  /** The conversation that it has open. */
  conversationId: string | undefined;
  /** A conversation that was opened over the server, and is not on the screen yet. */
  toShow: string | undefined;
  /** devs has begun this conversation over the server. */
  begin(conversationId: string): void;
  /** A prompt was handed over, and its turn has not begun: to interrupt it now would do nothing (measured, 1.18.33). */
  isTurnAwaited: boolean;
  /** Permissions that were answered over the channel. */
  readonly answered: Set<string>;
  /** Permissions that ended with their turn, and are taken from the list of opencode. */
  readonly withdrawn: Set<string>;
  /** Whether its server has answered. Asks until it has. */
  isReady(): Promise<boolean>;
  call(call: OpencodeCall): Promise<OpencodeAnswer>;
  /** What it said since the last time, beside its database. */
  takeFacts(): readonly StandingFact[];
  /** Hears what it says, until the signal ends. */
  hear(news: () => void, signal: AbortSignal): Promise<void>;
}

const AGAIN_MS = 500;

export function createOpencodeProcess(privateFolder: string | undefined): OpencodeProcess {
  let server: OpencodeServer | undefined;
  let ready = false;
  let facts: StandingFact[] = [];
  /** By session; a sub-agent's has a parent. */
  const parents = new Map<string, string | undefined>();
  /** A conversation that devs began, and whose news has not come: what comes before it is older, and opens no other again. */
  let unheard: string | undefined;
  const atWork = new Set<string>();

  const serverOf = async () => {
    server ??= privateFolder === undefined ? undefined : await readServer(privateFolder);
    return server;
  };
  const call = async (wanted: OpencodeCall): Promise<OpencodeAnswer> => {
    const known = await serverOf();
    return known === undefined ? 'none' : callOpencode(known, wanted);
  };
  const isReady = async () => {
    if (ready) return true;
    const answer = await call({ method: 'GET', path: '/global/health' });
    ready = answer !== 'none' && answer.status === 200;
    return ready;
  };

  const parentOf = async (session: string): Promise<string | undefined> => {
    if (!parents.has(session)) {
      const answer = await call({ method: 'GET', path: `/session/${session}` });
      if (answer === 'none' || answer.status !== 200) return 'unknown';
      parents.set(session, textIn(objectIn(answer.value)?.parentID));
    }
    return parents.get(session);
  };
  /** A conversation that the user opened in the TUI, or that works. */
  const adopt = async (session: string | undefined) => {
    if (session === undefined || session === process.conversationId) return;
    if ((await parentOf(session)) === undefined) process.conversationId = session;
  };
  /** A turn that begins brings its conversation to the front; a turn that continues behind a new conversation does not. */
  const takeStatus = async (session: string, type: string | undefined): Promise<void> => {
    if (type === 'idle') atWork.delete(session);
    if (type !== 'busy') return;
    const begins = !atWork.has(session) && unheard === undefined;
    atWork.add(session);
    if (begins) await adopt(session);
    if (session === process.conversationId) process.isTurnAwaited = false;
  };
  const take = async (event: JsonObject): Promise<void> => {
    const properties = objectIn(event.properties) ?? {};
    const session = textIn(properties.sessionID);
    switch (event.type) {
      case 'session.created':
        if (session === unheard) unheard = undefined;
        if (session !== undefined) parents.set(session, textIn(objectIn(properties.info)?.parentID));
        return adopt(session);
      case 'session.status':
        return takeStatus(session ?? '', textIn(objectIn(properties.status)?.type));
      case 'permission.replied':
        facts.push(...settled(properties, process));
        return;
      case 'session.error':
        if (session === process.conversationId) facts.push(...errorFacts(objectIn(properties.error) ?? {}, {}));
        return;
      default:
        return;
    }
  };

  const process: OpencodeProcess = {
    conversationId: undefined,
    toShow: undefined,
    begin(conversationId) {
      process.conversationId = conversationId;
      process.toShow = conversationId;
      unheard = parents.has(conversationId) ? undefined : conversationId;
    },
    isTurnAwaited: false,
    answered: new Set(),
    withdrawn: new Set(),
    isReady,
    call,
    takeFacts() {
      const taken = facts;
      facts = [];
      return taken;
    },
    async hear(news, signal) {
      let last: Promise<void> = Promise.resolve();
      const onEvent = (event: unknown) => {
        const record = objectIn(event);
        if (record === undefined || !TELLING.test(String(record.type))) return;
        last = last.then(() => take(record)).then(news);
      };
      while (!signal.aborted) {
        const known = (await isReady()) ? await serverOf() : undefined;
        unheard = undefined; // news from before is not told again
        if (known !== undefined) await hearOpencode(known, { signal, onEvent });
        await pause(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
      }
    },
  };
  return process;
}

/** Not every piece of text that streams in. */
const TELLING = /^(?:session\.(?:created|updated|status|idle|error|compacted)|message\.updated|permission\.)/;

function settled(
  properties: JsonObject,
  { answered, withdrawn }: Pick<OpencodeProcess, 'answered' | 'withdrawn'>,
): readonly StandingFact[] {
  const [requestId, choice] = [textIn(properties.requestID), textIn(properties.reply)];
  if (requestId === undefined || choice === undefined) return [];
  if (withdrawn.has(requestId)) return [{ type: 'permission-settled', requestId, by: 'turn' }];
  return [{ type: 'permission-settled', requestId, by: answered.has(requestId) ? 'channel' : 'terminal', choice }];
}
