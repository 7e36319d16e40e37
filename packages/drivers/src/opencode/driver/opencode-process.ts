import type { JsonObject } from '@devs/core';
import type { StatusFact } from '../../driving/standing-fact.js';
import { objectIn, textIn } from '../../reading/json.js';
import { OpencodeConnection } from './opencode-connection.js';
import { errorFacts } from './opencode-standing.js';

/** Not every piece of text that streams in. */
const TELLING = /^(?:session\.(?:created|updated|status|idle|error|compacted)|message\.updated|permission\.)/;

/** One opencode process, as its server tells of it: shared by its watch and its channel. */
export class OpencodeProcess {
  readonly server: OpencodeConnection;
  /** The conversation that it has open. */
  conversationId: string | undefined;
  /** A conversation that was opened over the server, and is not on the screen yet. */
  toShow: string | undefined;
  /** A prompt was handed over, and its turn has not begun: to interrupt it now would do nothing (measured, 1.18.33). */
  isTurnAwaited = false;
  /** Permissions that were answered over the channel. */
  readonly answered = new Set<string>();
  /** Permissions that ended with their turn, and are taken from the list of opencode. */
  readonly withdrawn = new Set<string>();
  #facts: StatusFact[] = [];
  /** By session; a sub-agent's has a parent. */
  readonly #parents = new Map<string, string | undefined>();
  /** A conversation that devs began, and whose news has not come: what comes before it is older, and opens no other again. */
  #unheard: string | undefined;
  readonly #atWork = new Set<string>();

  constructor(privateFolder: string | undefined) {
    this.server = new OpencodeConnection(privateFolder);
  }

  /** devs has begun this conversation over the server. */
  begin(conversationId: string): void {
    this.conversationId = conversationId;
    this.toShow = conversationId;
    this.#unheard = this.#parents.has(conversationId) ? undefined : conversationId;
  }

  /** What it said since the last time, beside its database. */
  takeFacts(): readonly StatusFact[] {
    const taken = this.#facts;
    this.#facts = [];
    return taken;
  }

  /** Hears what it says, until the signal ends. */
  hear(news: () => void, signal: AbortSignal): Promise<void> {
    let last: Promise<void> = Promise.resolve();
    const onConnect = () => {
      this.#unheard = undefined;
    };
    const onEvent = (event: unknown) => {
      const record = objectIn(event);
      if (record === undefined || !TELLING.test(String(record.type))) return;
      last = last.then(() => this.#take(record)).then(news);
    };
    return this.server.hear({ onConnect, onEvent }, signal);
  }

  async #take(event: JsonObject): Promise<void> {
    const properties = objectIn(event.properties) ?? {};
    const session = textIn(properties.sessionID);
    switch (event.type) {
      case 'session.created':
        if (session === this.#unheard) this.#unheard = undefined;
        if (session !== undefined) this.#parents.set(session, textIn(objectIn(properties.info)?.parentID));
        return this.#adopt(session);
      case 'session.status':
        return this.#takeStatus(session ?? '', textIn(objectIn(properties.status)?.type));
      case 'permission.replied':
        this.#facts.push(...this.#settled(properties));
        return;
      case 'session.error':
        if (session !== this.conversationId) return;
        this.#facts.push(...errorFacts(objectIn(properties.error) ?? {}, {}));
        return;
      default:
        return;
    }
  }

  /** A turn that begins brings its conversation to the front; a turn that continues behind a new conversation does not. */
  async #takeStatus(session: string, type: string | undefined): Promise<void> {
    if (type === 'idle') this.#atWork.delete(session);
    if (type !== 'busy') return;
    const begins = !this.#atWork.has(session) && this.#unheard === undefined;
    this.#atWork.add(session);
    if (begins) await this.#adopt(session);
    if (session === this.conversationId) this.isTurnAwaited = false;
  }

  /** A conversation that the user opened in the TUI, or that works. */
  async #adopt(session: string | undefined): Promise<void> {
    if (session === undefined || session === this.conversationId) return;
    if ((await this.#parentOf(session)) === undefined) this.conversationId = session;
  }

  async #parentOf(session: string): Promise<string | undefined> {
    if (!this.#parents.has(session)) {
      const answer = await this.server.ask(`/session/${session}`);
      if (answer === undefined) return 'unknown';
      this.#parents.set(session, textIn(objectIn(answer)?.parentID));
    }
    return this.#parents.get(session);
  }

  #settled(properties: JsonObject): readonly StatusFact[] {
    const [requestId, choice] = [textIn(properties.requestID), textIn(properties.reply)];
    if (requestId === undefined || choice === undefined) return [];
    if (this.withdrawn.has(requestId)) return [{ type: 'permission-settled', requestId, by: 'turn' }];
    const by = this.answered.has(requestId) ? 'channel' : 'terminal';
    return [{ type: 'permission-settled', requestId, by, choice }];
  }
}
