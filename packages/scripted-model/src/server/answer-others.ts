import type { JsonObject } from '@devs/core';
import { parseAnthropic } from '../apis/anthropic/parse-anthropic.js';
import type { Body } from '../apis/api-format.js';
import { estimateInput } from '../decide/estimate-input.js';

/** A name that every API lists; agents may ask for any other. */
const MODEL = 'devs-scripted';
const MODEL_DATE = '2026-01-01T00:00:00Z';

export interface OtherQuestion {
  readonly method: string;
  readonly path: string;
  readonly body: Body;
  readonly scale: number;
}

/** Answers requests of agents other than model calls; `undefined` for unknown requests. */
export function answerOthers({ method, path, body, scale }: OtherQuestion): JsonObject | undefined {
  if (method === 'POST' && path === '/v1/messages/count_tokens') {
    return { input_tokens: estimateInput(parseAnthropic(body, {}), scale).total };
  }
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/') return { server: 'devs scripted model' };
  if (path === '/v1/models' || path === '/models') return modelList();
  const [, id] = /^(?:\/v1)?\/models\/([^/]+)$/.exec(path) ?? [];
  return id === undefined ? undefined : describeModel(decode(id));
}

/** Read by clients of Anthropic and of OpenAI alike; Codex looks for `models` and then uses its own list. */
const modelList = (): JsonObject => ({
  object: 'list',
  data: [describeModel(MODEL)],
  models: [],
  has_more: false,
  first_id: MODEL,
  last_id: MODEL,
});

const describeModel = (id: string): JsonObject => ({
  id,
  type: 'model',
  display_name: id,
  created_at: MODEL_DATE,
  object: 'model',
  created: Date.parse(MODEL_DATE) / 1_000,
  owned_by: 'devs',
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
