import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cacheFolderOf, defaultModel, NAMED_MODELS, pickModel } from '../default-model.js';

const HOUR = 3_600_000;

describe('the default model', () => {
  it.each([
    [
      'anthropic',
      ['claude-opus-5-5', 'claude-sonnet-4-5', 'claude-sonnet-5-5', 'claude-sonnet-5'],
      'claude-sonnet-5-5',
    ],
    ['anthropic', ['claude-sonnet-10', 'claude-sonnet-9-9'], 'claude-sonnet-10'],
    ['anthropic', ['claude-sonnet-6-1-20270101', 'claude-sonnet-6-1', 'claude-sonnet-4-20250514'], 'claude-sonnet-6-1'],
    ['anthropic', ['local-model'], 'local-model'],
    ['anthropic', ['claude-opus-5-5', 'claude-haiku-5-5'], NAMED_MODELS.anthropic],
    ['anthropic', [], NAMED_MODELS.anthropic],
    ['openai', ['gpt-5.6-terra', 'gpt-6.1-terra', 'gpt-6.1-sol', 'gpt-4o-audio-preview'], 'gpt-6.1-terra'],
    ['openai', ['gpt-4.1', 'gpt-5.2', 'gpt-5.2-2025-12-11', 'o3'], 'gpt-5.2'],
    ['openai', ['qwen'], 'qwen'],
    ['openai', ['qwen', 'llama'], NAMED_MODELS.openai],
  ] as const)('of %s is, by the list %j, %s', (provider, models, chosen) => {
    expect(pickModel(provider, models)).toBe(chosen);
  });

  it('is never a deprecated one', () => {
    expect(Object.values(NAMED_MODELS)).not.toContain('claude-sonnet-4-5');
  });

  it('comes from the list of the provider, which is kept for a day', async () => {
    const { choose, asked } = openCache();

    expect(await choose(1_000, ['claude-sonnet-7'])).toBe('claude-sonnet-7');
    expect(await choose(1_000 + 23 * HOUR, ['claude-sonnet-8'])).toBe('claude-sonnet-7');
    expect(await choose(1_000 + 25 * HOUR, ['claude-sonnet-8'])).toBe('claude-sonnet-8');
    expect(asked).toHaveLength(2);
  });

  it('is the last that was known where the list cannot be had, and the named one where none was', async () => {
    const { choose } = openCache();
    const unreachable = new Error('unreachable');

    expect(await choose(0, unreachable)).toBe(NAMED_MODELS.anthropic);
    expect(await choose(1, ['claude-sonnet-7'])).toBe('claude-sonnet-7');
    expect(await choose(100 * HOUR, unreachable)).toBe('claude-sonnet-7');
  });

  it('is not taken from a file that devs did not write, nor from the future', async () => {
    const { choose, file } = openCache();

    writeFileSync(file, '{"anthropic":{"at":0,"models":"all"}}');
    expect(await choose(1, ['claude-sonnet-7'])).toBe('claude-sonnet-7');
    writeFileSync(file, '{"anthropic":{"at":9999999999999,"models":["claude-sonnet-99"]}}');
    expect(await choose(2, ['claude-sonnet-8'])).toBe('claude-sonnet-8');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ anthropic: { at: 2, models: ['claude-sonnet-8'] } });
  });

  it('is remembered where programs of the user keep what they can fetch again', () => {
    expect([
      cacheFolderOf('/home/ann', {}, 'linux'),
      cacheFolderOf('/home/ann', { XDG_CACHE_HOME: '/var/cache/ann' }, 'linux'),
      cacheFolderOf('/Users/ann', {}, 'darwin'),
    ]).toEqual(['/home/ann/.cache/devs', '/var/cache/ann/devs', '/Users/ann/Library/Caches/devs']);
  });
});

/** A cache of one test; `asked` counts how often the list was asked for. */
function openCache() {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'devs-models-'));
  onTestFinished(() => rmSync(cacheFolder, { recursive: true, force: true }));
  const asked: number[] = [];
  const choose = (now: number, answer: readonly string[] | Error) =>
    defaultModel({
      provider: 'anthropic',
      baseUrl: undefined,
      cacheFolder,
      now,
      list: async () => {
        asked.push(now);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
  return { choose, asked, file: join(cacheFolder, 'models.json') };
}
