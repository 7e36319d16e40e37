import type { StoreBackend } from '../ports/store-backend.js';
import { redactText } from '../redaction/redact-text.js';

/** What the agent of a run leaves to one on another machine. */
export interface RunHandoff {
  /** The version of the run's stream that it was written at. */
  readonly upTo: number;
  readonly text: string;
}

/** The last handoff of each run, for machines that cannot read the conversation. Older ones are not kept. */
export interface RunHandoffs {
  save(runId: string, handoff: RunHandoff): Promise<void>;
  load(runId: string): Promise<RunHandoff | undefined>;
}

const nameOf = (runId: string): string => `handoff:${runId}`;

export const createRunHandoffs = (backend: Pick<StoreBackend, 'loadSnapshot' | 'saveSnapshot'>): RunHandoffs => ({
  save: (runId, { upTo, text }) =>
    backend.saveSnapshot(nameOf(runId), { position: upTo, state: { text: redactText(text) } }),
  async load(runId) {
    const snapshot = await backend.loadSnapshot(nameOf(runId));
    const text = snapshot?.state['text'];
    return snapshot === undefined || typeof text !== 'string' ? undefined : { upTo: snapshot.position, text };
  },
});
