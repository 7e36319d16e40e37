import Anthropic from '@anthropic-ai/sdk';
import type { LlmClient } from '@devs/core';
import { createBoundedFetch } from './bounded-fetch.js';
import { createProviderClient, type ModelServer, type ProviderClientOptions } from './provider-client.js';

const MAX_TOKENS = 8_192;

/** Models behind the Messages API of Anthropic. */
export function createAnthropicClient(options: ProviderClientOptions): LlmClient {
  const { model, system, maxTokens = MAX_TOKENS } = options;
  const sdk = openSdk(options);
  return createProviderClient(
    sdk.baseURL,
    async ({ messages, signal, heard }) => {
      const stream = await sdk.messages.create(
        {
          model,
          max_tokens: maxTokens,
          stream: true,
          messages: messages.map(({ role, text }) => ({ role, content: text })),
          // The constant part, which the provider may cache.
          ...(system === undefined
            ? {}
            : { system: [{ type: 'text' as const, text: system, cache_control: { type: 'ephemeral' as const } }] }),
        },
        { signal },
      );
      let text = '';
      let stopReason: string | undefined;
      let [inputTokens, outputTokens] = [0, 0];
      for await (const event of stream) {
        heard();
        if (event.type === 'message_start') {
          const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = event.message.usage;
          inputTokens = input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
        } else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
        else if (event.type === 'message_delta') {
          stopReason = event.delta.stop_reason ?? stopReason;
          outputTokens = event.usage.output_tokens;
        }
      }
      if (stopReason === undefined) throw new Error('the answer broke off before its end');
      return { text, stopReason, usage: { inputTokens, outputTokens } };
    },
    options,
  );
}

/** The names of the models that a key can use. Rejects where the server does not say. */
export async function listAnthropicModels(server: ModelServer, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await openSdk(server).models.list({ limit: 100 }, { signal });
  return data.map(({ id }) => id);
}

const openSdk = ({ apiKey, baseUrl }: ModelServer) =>
  new Anthropic({ apiKey, authToken: null, baseURL: baseUrl ?? null, maxRetries: 0, fetch: createBoundedFetch() });
