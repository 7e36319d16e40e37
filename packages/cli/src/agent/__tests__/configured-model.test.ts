import { describe, expect, it } from 'vitest';
import { configuredModel } from '../configured-model.js';

const HERE = import.meta.dirname;
const SCENARIO = 'configured-model.test.ts';

describe('the model of the built-in agent', () => {
  it.each([
    [{ provider: 'anthropic' }, { ANTHROPIC_API_KEY: 'k' }, 'anthropic'],
    [{ provider: 'anthropic', baseUrl: 'http://127.0.0.1:1' }, {}, 'anthropic'],
    [{}, { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'anthropic'],
    [{}, { OPENAI_API_KEY: 'k' }, 'openai'],
    [{ name: 'm' }, { OPENAI_API_KEY: 'k' }, 'openai'],
    [{ name: 'm', baseUrl: 'http://127.0.0.1:1' }, { ANTHROPIC_API_KEY: 'k' }, 'openai'],
    [{ scenario: SCENARIO }, { ANTHROPIC_API_KEY: 'k' }, 'scripted'],
  ] as const)('with %j and %j is of %s', (model, env, provider) => {
    expect(configuredModel({ model }, { env, folder: HERE, hasScriptedModel: true })).toEqual({
      status: 'configured',
      provider,
    });
  });

  it.each([
    [{}, {}, 'it has no model', /ANTHROPIC_API_KEY.*OPENAI_API_KEY.*model\.baseUrl.*install Claude/],
    [{}, { ANTHROPIC_API_KEY: '' }, 'it has no model', /ANTHROPIC_API_KEY/],
    [{ provider: 'openai', name: 'm' }, {}, 'OPENAI_API_KEY is not set', /baseUrl/],
    [{ provider: 'anthropic' }, { OPENAI_API_KEY: 'k' }, 'ANTHROPIC_API_KEY is not set', /baseUrl/],
    [{ provider: 'scripted' }, {}, 'the scripted model has no script', /--scenario FILE/],
    [{ scenario: 'none.yaml' }, {}, 'there is no file none.yaml', /--scenario FILE/],
  ] as const)('with %j and %j is missing: %s', (model, env, reason, advice) => {
    const found = configuredModel({ model }, { env, folder: HERE, hasScriptedModel: true });
    expect(found).toEqual({ status: 'missing', reason, advice: expect.stringMatching(advice) });
  });

  it('cannot be scripted in the installed package', () => {
    const place = { env: {}, folder: HERE, hasScriptedModel: false };
    expect(configuredModel({ model: { scenario: SCENARIO } }, place)).toMatchObject({
      status: 'missing',
      reason: expect.stringContaining('part of a checkout'),
    });
  });
});
