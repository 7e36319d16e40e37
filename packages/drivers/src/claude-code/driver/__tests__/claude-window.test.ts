import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../driving/parse-arguments.js';
import { CLAUDE_SYNTAX } from '../claude-arguments.js';
import { compactsAt, windowOfClaude } from '../claude-window.js';

const window = (model: string | undefined, env = {}, args: string[] = [], configured?: number) =>
  windowOfClaude({ model, env, args: parseArguments(args, CLAUDE_SYNTAX), configured });

describe('the window of Claude Code', () => {
  it.each([
    { model: 'claude-opus-5-5', windowTokens: 1_000_000 },
    { model: 'claude-sonnet-5-5-20261001', windowTokens: 1_000_000 },
    { model: 'us.anthropic.claude-opus-5-5-v1:0', windowTokens: 1_000_000 },
    { model: 'claude-opus-5-5', env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' }, windowTokens: 200_000 },
    { model: 'claude-opus-5-5', env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: '0' }, windowTokens: 1_000_000 },
    { model: 'claude-haiku-4-5', windowTokens: 200_000 },
    { model: 'claude-sonnet-4-5', args: ['--model', 'sonnet[1m]'], windowTokens: 1_000_000 },
    { model: 'claude-opus-5-5', args: ['--autocompact', '150k'], windowTokens: 150_000 },
    { model: 'claude-opus-5-5', env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '50000' }, windowTokens: 100_000 },
    { model: 'my-fake-model', env: { CLAUDE_CODE_MAX_CONTEXT_TOKENS: '64000' }, windowTokens: 64_000 },
  ])('is known for $model with $env $args', ({ model, env, args, windowTokens }) => {
    expect(window(model, env, args)).toEqual({ windowTokens, source: 'known model' });
  });

  it('is the usual size for an unknown model, marked as assumed, and the user can set it', () => {
    expect(window('claude-zenith-9')).toEqual({ windowTokens: 200_000, source: 'assumed' });
    expect(window(undefined)).toEqual({ windowTokens: 0, source: 'unknown' });
    expect(window('claude-zenith-9', {}, [], 500_000)).toEqual({ windowTokens: 500_000, source: 'configured' });
  });

  it.each([
    { windowTokens: 1_000_000, env: {}, at: 967_000 },
    { windowTokens: 200_000, env: {}, at: 167_000 },
    { windowTokens: 200_000, env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' }, at: 90_000 },
    { windowTokens: 1_000_000, env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '10' }, at: 98_000 },
    { windowTokens: 1_000_000, env: { CLAUDE_CODE_AUTOCOMPACT_PCT_OVERRIDE: '10' }, at: 967_000 },
    { windowTokens: 100_000, env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' }, at: 40_000 },
    { windowTokens: 150_000, env: {}, at: 117_000 },
    { windowTokens: 200_000, env: { DISABLE_COMPACT: '1' }, at: undefined },
  ])('[H9] is compacted at $at of $windowTokens with $env, as measured', ({ windowTokens, env, at }) => {
    expect(compactsAt(windowTokens, env)).toBe(at);
  });
});
