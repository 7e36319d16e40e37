import { DEFAULT_SETTINGS } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { launchHooks } from '../../session/supervision-request.js';

const COMMAND = ['/bin/node', '/devs.mjs'];

describe('the hooks that devs brings to an agent', () => {
  it('call devs as an argument list, and tell hooks of others to be silent', () => {
    expect(launchHooks('claude', DEFAULT_SETTINGS, COMMAND)).toMatchObject({
      hooks: { command: ['/bin/node', '/devs.mjs', 'hook', 'claude-code', '--launched'] },
      env: { DEVS_HOOKS_AT_LAUNCH: '1' },
    });
  });

  it('do what the configuration says, and leave the rest to the settings of hooks', () => {
    const off = { ...DEFAULT_SETTINGS, ledger: { enabled: false } };
    expect(launchHooks('claude', off, COMMAND)?.env).toEqual({ DEVS_HOOKS_AT_LAUNCH: '1', DEVS_HOOK_COMPACT: 'off' });
    const seldom = { ...DEFAULT_SETTINGS, reinjection: { ...DEFAULT_SETTINGS.reinjection, turns: 7 } };
    expect(launchHooks('claude', seldom, COMMAND)?.env).toMatchObject({ DEVS_HOOK_REMINDER_TURNS: '7' });
  });

  it('are none where there is nothing to say, where nothing may be touched, and where the agent takes none', () => {
    const { reinjection } = DEFAULT_SETTINGS;
    const silent = { observe: false, ledger: { enabled: false }, reinjection: { ...reinjection, enabled: false } };
    expect(launchHooks('claude', silent, COMMAND)).toBeUndefined();
    expect(launchHooks('claude', { ...DEFAULT_SETTINGS, observe: true }, COMMAND)).toBeUndefined();
    expect(launchHooks('codex', DEFAULT_SETTINGS, COMMAND)).toBeUndefined();
  });
});
