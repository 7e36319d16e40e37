import { setTimeout as pause } from 'node:timers/promises';
import { callOpencode, hearOpencode, type OpencodeAnswer, type OpencodeCall } from './call-opencode.js';
import { type OpencodeServer, readServer } from './opencode-server.js';

const AGAIN_MS = 500;

export interface OpencodeListener {
  /** It is heard anew: news from before are not told again. */
  onConnect(): void;
  onEvent(event: unknown): void;
}

/** The HTTP server of one opencode process, from the moment its address is known. */
export class OpencodeConnection {
  #server: OpencodeServer | undefined;
  #isReady = false;

  constructor(private readonly privateFolder: string | undefined) {}

  async call(call: OpencodeCall): Promise<OpencodeAnswer> {
    const server = await this.#find();
    return server === undefined ? 'none' : callOpencode(server, call);
  }

  /** The answer to a question, or `undefined` where there is none. */
  async ask(path: string): Promise<unknown> {
    const answer = await this.call({ method: 'GET', path });
    return answer === 'none' || answer.status !== 200 ? undefined : answer.value;
  }

  /** Whether it has answered once. Asks until it has. */
  async isReady(): Promise<boolean> {
    if (this.#isReady) return true;
    const answer = await this.call({ method: 'GET', path: '/global/health' });
    this.#isReady = answer !== 'none' && answer.status === 200;
    return this.#isReady;
  }

  /** Until the signal ends, over and over. */
  async hear({ onConnect, onEvent }: OpencodeListener, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const server = (await this.isReady()) ? await this.#find() : undefined;
      onConnect();
      if (server !== undefined) await hearOpencode(server, { signal, onEvent });
      await pause(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #find(): Promise<OpencodeServer | undefined> {
    this.#server ??= this.privateFolder === undefined ? undefined : await readServer(this.privateFolder);
    return this.#server;
  }
}
