import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../ports/json.js';
import { deepFreeze } from '../../testing/deep-freeze.js';
import { rounds, seed } from '../../testing/rounds.js';
import { redactJson } from '../redact-json.js';

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

const ORDINARY: readonly JsonObject[] = [
  { password: '***' },
  { password: '' },
  { password: 'short' },
  { password: null },
  { password: '<your-password>' },
  { api_key: `\${API_KEY}` },
  { secret: 'changeme' },
  { token: 'null' },
  { token: 'IDENTIFIER' },
  { max_tokens: 100000, tokens: ['let', 'name'], tokenCount: '100000' },
  { session_id: '783f57a4-b930-4e52-937c-0da86f2ae263' },
  { password: 'Must be at least 8 characters' },
  { secret: 'https://vault.example.com/v1/secret/data/app' },
  { pin: 999, password: 123, secrets: 1200, api_keys: 5000, max_passwords: 1000, spin: 1234 },
  { token: 123456, timeout: 30000, pinned_at: 1700000000000, password_min_length: 1000, secret: false },
  { constructor: 'Object', list: [1, [], {}, [null]] },
];

describe('redactJson', () => {
  it('redacts strings and keys however deep, and what stands under the name of a secret', () => {
    const event = deepFreeze({
      output: `pushed with ${TOKEN}`,
      steps: [{ env: { DB_PASSWORD: 'hunter2', PORT: '3000' } }, [TOKEN]],
      [TOKEN]: { apiKey: 'abcdef-ghijkl', retries: 3, ok: true, none: null },
      passphrase: 'correct horse battery staple',
      secrets: ['abcdefg', 'hijklmn'],
      headers: { authorization: 'Bearer abcdefgh12345', cookie: 'theme=dark; sid=a1b2c3d4', 'x-api-key': 'abc123' },
      variables: [{ name: 'CLIENT_SECRET', value: 'abcdefg' }],
      url: 'redis://:hunter2@cache/0',
    });

    expect(redactJson(event)).toEqual({
      output: 'pushed with [redacted:github-token]',
      steps: [{ env: { DB_PASSWORD: '[redacted:password]', PORT: '3000' } }, ['[redacted:github-token]']],
      '[redacted:github-token]': { apiKey: '[redacted:credential]', retries: 3, ok: true, none: null },
      passphrase: '[redacted:password]',
      secrets: ['[redacted:credential]', '[redacted:credential]'],
      headers: {
        authorization: 'Bearer [redacted:bearer-token]',
        cookie: 'theme=dark; sid=[redacted:cookie]',
        'x-api-key': '[redacted:credential]',
      },
      variables: [{ name: 'CLIENT_SECRET', value: '[redacted:credential]' }],
      url: 'redis://:[redacted:connection-string-password]@cache/0',
    });
  });

  it('redacts numbers of four digits and more under the name of a secret', () => {
    const event = { password: 48151623, pin: 1234, user: { secret: -4321, db_password: 1e9 }, port: 5432 };
    const variables = [{ name: 'DOOR_PIN', value: 4711 }];

    expect(redactJson({ ...event, variables })).toEqual({
      password: '[redacted:password]',
      pin: '[redacted:credential]',
      user: { secret: '[redacted:credential]', db_password: '[redacted:password]' },
      port: 5432,
      variables: [{ name: 'DOOR_PIN', value: '[redacted:credential]' }],
    });
  });

  it.each(ORDINARY)('returns the same object where there is no secret: %j', (value) => {
    expect(redactJson(value)).toBe(value);
  });

  it('shares the parts that hold no secret', () => {
    const event = { kept: { a: [1, 2] }, output: TOKEN };
    expect(redactJson(event).kept).toBe(event.kept);
  });

  it('keeps a key __proto__ a key', () => {
    const value = JSON.parse(`{"__proto__":{"password":"hunter2"},"a":1}`) as JsonObject;
    const redacted = redactJson(value);

    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"password":"[redacted:password]"},"a":1}');
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
  });

  it('keeps two secret keys apart', () => {
    expect(redactJson({ [TOKEN]: 1, [`${TOKEN}x`]: 2 })).toEqual({
      '[redacted:github-token]': 1,
      '[redacted:github-token]#2': 2,
    });
  });

  it('goes as deep as the value does', () => {
    let value: JsonObject = { output: TOKEN };
    for (let depth = 0; depth < 100_000; depth++) value = { inner: value };

    let redacted = redactJson(value);
    while (redacted.inner !== undefined) redacted = redacted.inner as JsonObject;
    expect(redacted).toEqual({ output: '[redacted:github-token]' });
  });

  it('has no opinion on values of 20 million characters under any key', { tags: 'long' }, () => {
    const long = 'aB3'.repeat(7_000_000);
    expect(redactJson({ password: long, authorization: long, [`_${'-'.repeat(100)}`]: 'x' })).toMatchObject({
      password: expect.stringMatching(/^\[redacted:/),
    });
  });

  it('finds nothing in what it returned, and gives the same object back', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom(TOKEN, 'hunter2!'),
    );
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom('password', 'authorization', 'cookie', '__proto__', 'value', 'name', TOKEN),
    );
    const { object } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
      object: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(object, (value) => {
        const redacted = redactJson(deepFreeze(value) as JsonObject);
        expect(redactJson(redacted)).toBe(redacted);
      }),
      { seed: seed(), numRuns: rounds(150, 50_000) },
    );
  });
});
