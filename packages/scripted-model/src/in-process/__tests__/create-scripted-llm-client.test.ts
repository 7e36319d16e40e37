import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../scenario/parse-scenario.js';
import { createScriptedLlmClient } from '../create-scripted-llm-client.js';

describe('the client in the process', () => {
  it('answers by directives and by scenario', async () => {
    const client = createScriptedLlmClient(parseScenario('rules:\n  - when: { prompt: fix }\n    reply: On it.'));

    expect(await client.complete('@model usage input=70 output=5\n@model say hi')).toEqual({
      text: 'hi',
      stopReason: 'end_turn',
      usage: { inputTokens: 70, outputTokens: 5 },
    });
    expect(await client.complete('fix it')).toMatchObject({ text: 'On it.' });
  });

  it('cuts off, counts earlier messages, and fails as scripted', async () => {
    const client = createScriptedLlmClient();
    const history = [
      { role: 'user' as const, text: 'word '.repeat(1_000) },
      { role: 'assistant' as const, text: 'ok' },
    ];

    expect(await client.complete('@model cut 2\n@model say hello')).toMatchObject({
      text: 'he',
      stopReason: 'max_tokens',
    });
    const long = await client.complete('more', { history });
    expect(typeof long === 'object' && Number(long.usage?.inputTokens)).toBeGreaterThan(900);
    await expect(client.complete('@model error 529')).rejects.toMatchObject({ code: 'MODEL_FAILED', status: 529 });
    await expect(client.complete('@model drop 3')).rejects.toThrow('The scripted connection broke');
    await expect(client.complete('@model run ls')).rejects.toThrow('The script calls a tool');
  });

  it('can be interrupted while it hangs', async () => {
    const waiting = new AbortController();
    const answer = createScriptedLlmClient().complete('@model hang', { signal: waiting.signal });
    waiting.abort(new Error('enough'));

    await expect(answer).rejects.toThrow('enough');
    await expect(createScriptedLlmClient().complete('p', { signal: waiting.signal })).rejects.toThrow('enough');
  });
});
