import type { ContextRefresher } from './context-refresher.js';
import type { SaopEnvelope } from './saop-envelope.js';

/** Puts the summaries in front of an agent's reasoning on the turns on which they are due. */
// REQ: 3_MCP-TAS-089
export class OrchestratorContextInjector {
  constructor(private refresher: ContextRefresher) {}

  /** The same object when nothing is due, else a new one; the envelope that was given is never changed. */
  async injectIfNeeded(envelope: SaopEnvelope, turnIndex: number, signal?: AbortSignal): Promise<SaopEnvelope> {
    const result = await (signal === undefined
      ? this.refresher.onTurn(turnIndex)
      : this.refresher.onTurn(turnIndex, signal));
    if (!result.refreshed) return envelope;
    const reasoning = `${result.injectedSummary}\n\n${envelope.thought.reasoning}`;
    return { ...envelope, thought: { ...envelope.thought, reasoning } };
  }
}
