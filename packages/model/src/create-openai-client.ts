import type { LlmClient } from '@devs/core';
import OpenAI from 'openai';
import { createBoundedFetch } from './bounded-fetch.js';
import { createProviderClient, type ModelServer, type ProviderClientOptions } from './provider-client.js';

/** Models behind OpenAI's Chat Completions, which local servers speak too. */
export function createOpenAiClient(options: ProviderClientOptions): LlmClient {
  const { model, system, maxTokens } = options;
  const sdk = openSdk(options);
  return createProviderClient(
    sdk.baseURL,
    async ({ messages, signal, heard }) => {
      const stream = await sdk.chat.completions.create(
        {
          model,
          stream: true,
          stream_options: { include_usage: true },
          ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
          messages: [
            ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
            ...messages.map(({ role, text }) => ({ role, content: text })),
          ],
        },
        { signal },
      );
      let text = '';
      let stopReason: string | undefined;
      let usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
      for await (const chunk of stream) {
        heard();
        const [choice] = chunk.choices;
        text += choice?.delta?.content ?? '';
        stopReason = choice?.finish_reason ?? stopReason;
        if (chunk.usage != null) {
          usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens };
        }
      }
      if (stopReason === undefined) throw new Error('the answer broke off before its end');
      return { text, stopReason, ...(usage === undefined ? {} : { usage }) };
    },
    options,
  );
}

/** The names of the models that a key can use. Rejects where the server does not say. */
export async function listOpenAiModels(server: ModelServer, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await openSdk(server).models.list({ signal });
  return data.map(({ id }) => id);
}

const openSdk = ({ apiKey, baseUrl }: ModelServer) =>
  new OpenAI({ apiKey, baseURL: baseUrl ?? null, maxRetries: 0, fetch: createBoundedFetch() });
