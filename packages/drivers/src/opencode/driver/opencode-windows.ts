import { listIn, numberIn, objectIn, textIn } from '../../reading/json.js';
import type { OpencodeConnection } from './opencode-connection.js';

/** The windows of the models, by the names that opencode has for them: `provider/model`. */
export class OpencodeWindows {
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
