import { messageOf } from '@devs/core';
import type { AgentModel } from './agent-setup.js';

/** Why the model could not be called. */
export type ModelTrouble =
  /** The conversation does not fit: it can be shortened. */
  | { readonly kind: 'overflow' }
  /** May continue later without the user. */
  | { readonly kind: 'usage-limit'; readonly until?: number; readonly detail: string }
  | { readonly kind: 'network'; readonly detail: string }
  /** Only the user can resolve it: a wrong key, an unknown model. The detail says how. */
  | { readonly kind: 'refused'; readonly detail: string };

type AskedModel = Pick<AgentModel, 'provider' | 'name' | 'keyName'>;

/** Pure: an error of any client, by its status and its words. */
export function troubleOf(error: unknown, now: number, model: AskedModel): ModelTrouble {
  const detail = messageOf(error);
  const status = numberIn(error, 'status');
  if (OVERFLOW.test(detail)) return { kind: 'overflow' };
  if (status === 429) {
    const wait = numberIn(error, 'retryAfterMs');
    return { kind: 'usage-limit', detail, ...(wait === undefined ? {} : { until: now + wait }) };
  }
  if (status === undefined || status >= 500 || status === 408) return { kind: 'network', detail };
  return { kind: 'refused', detail: describeRefusal(status, detail, model) };
}

const OVERFLOW = /prompt is too long|context[ _]length|maximum context|context window/i;

/** One sentence about the refusal and one about the remedy. */
function describeRefusal(status: number, detail: string, { provider, name, keyName }: AskedModel): string {
  const key = keyName ?? 'the environment';
  const agent = 'start the agent again (a run: `devs resume`)';
  if (status === 401) return `The API key was refused (401). Put a valid key into ${key} and ${agent}.`;
  if (status === 403)
    return `The API key may not use ${name} (403). Put another key into ${key}, or name another model with --model.`;
  if (status === 404 && /model/i.test(detail))
    return `${provider} has no model ${name} (404). Name another with --model, or with model.name in .devs/config.yaml.`;
  return `The model cannot be asked: ${detail}`;
}

/** Clients say more about an error than that it is one; each as it likes. */
function numberIn(error: unknown, name: string): number | undefined {
  const value = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}
