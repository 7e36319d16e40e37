import type { AgentSettings } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { addStanding, changedSettings, inAnotherConversation, NO_STANDING, type Standing } from '../standing.js';
import { standingEvents } from '../standing-events.js';

const TOLD = {
  conversationId: 'c',
  window: { windowTokens: 0, source: 'unknown' },
  begunAt: 0,
  now: 1,
} as const;

function follow(...modes: readonly AgentSettings[]) {
  let standing: Standing = NO_STANDING;
  return modes.map((settings) => {
    const before = standing;
    standing = addStanding(standing, { type: 'settings', settings });
    return standingEvents(before, standing, TOLD).flatMap((event) =>
      event.type === 'settings.changed' ? [event.settings] : [],
    );
  });
}

describe('settings that the user changes by hand', () => {
  it('[H18] are reported again when they are changed back', () => {
    expect(
      follow({ permissionMode: 'default' }, { permissionMode: 'acceptEdits' }, { permissionMode: 'default' }),
    ).toEqual([[], [{ permissionMode: 'acceptEdits' }], [{ permissionMode: 'default' }]]);
  });

  it('[H18] are reported to a late watcher only if changed, with their current values', () => {
    const steps: readonly AgentSettings[] = [
      { permissionMode: 'default', model: 'm' },
      { permissionMode: 'bypassPermissions' },
      { permissionMode: 'default' },
    ];
    const standing = steps.reduce((now, settings) => addStanding(now, { type: 'settings', settings }), NO_STANDING);
    expect(changedSettings(standing)).toEqual({ permissionMode: 'default' });
    expect(changedSettings(inAnotherConversation(standing))).toEqual({ permissionMode: 'default' });
  });
});

describe('a turn without an answer', () => {
  const failed = { type: 'turn-ended', detail: 'an error: no credit', error: 'no credit' } as const;
  const errorsOf = (before: Standing, after: Standing) =>
    standingEvents(before, after, TOLD).flatMap((event) => (event.type === 'turn.ended' ? [event.error] : []));

  it('is reported with its error, also if the agent records the end of the turn separately', () => {
    const first = addStanding(NO_STANDING, failed);
    const ended = addStanding(first, { type: 'turn-ended', detail: 'the turn ended in the transcript' });
    expect(errorsOf(NO_STANDING, first)).toEqual(['no credit']);
    expect(errorsOf(NO_STANDING, ended)).toEqual(['no credit']);
  });

  it('is over when the next one begins', () => {
    const next = addStanding(addStanding(NO_STANDING, failed), { type: 'turn-began', detail: 'a prompt' });
    const ended = addStanding(next, { type: 'turn-ended', detail: 'the turn ended in the transcript' });
    expect(errorsOf(next, ended)).toEqual([undefined]);
  });
});
