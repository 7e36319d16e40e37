import { describe, expect, it } from 'vitest';
import { storedLaunch } from '../stored-launch.js';

const stored = (...userArgs: readonly string[]) =>
  storedLaunch('claude', { folder: '/p', home: '/h', env: {} }, { userArgs });

describe('what is stored of the arguments', () => {
  it.each([
    ['--api-key', 'abcdef0123456789abcdef'],
    ['--password', 'correcthorse'],
    ['--token', 'hunter2'],
  ])('is no secret that only its option gives away: %s', (option, value) => {
    const { userArgs, hidden } = stored('--model', 'opus', option, value, 'go on');
    expect(hidden).toBe(true);
    expect(userArgs).toEqual(['--model', 'opus', option, '[redacted:argument]', 'go on']);
  });

  it.each([
    [['-p', 'Fix the password form']],
    [['--max-tokens', '4000']],
    [['--append-system-prompt', 'Say the token name']],
    [['--password', '--verbose', 'correcthorse']],
  ])('is everything else as it was typed: %j', (userArgs) => {
    expect(stored(...userArgs)).toMatchObject({ userArgs });
    expect(stored(...userArgs).hidden).toBeUndefined();
  });
});
