import { describe, expect, it } from 'vitest';
import { addStanding, changedSettings, NO_STANDING, type Standing } from '../standing.js';
import type { StatusFact } from '../standing-fact.js';

const after = (...facts: StatusFact[]): Standing => facts.reduce(addStanding, NO_STANDING);

describe('the status of a conversation', () => {
  it('is busy from a prompt to the end of the turn', () => {
    const began: StatusFact = { type: 'turn-began', detail: 'a prompt' };

    expect(after(began).activity?.says).toBe('busy');
    expect(after(began, { type: 'turn-ended', detail: 'done' })).toMatchObject({
      activity: { says: 'idle' },
      turnsEnded: 1,
    });
  });

  it('has the size of the last call, and the remaining size after a compaction', () => {
    const used: StatusFact = { type: 'usage', usedTokens: 150_000, windowTokens: 190_000 };
    const compacted: StatusFact = { type: 'compacted', trigger: 'auto', tokensAfter: 4_000 };

    expect(after(used, compacted).usage).toEqual({ usedTokens: 4_000, windowTokens: 190_000 });
  });

  it('is at a limit until the model answers again', () => {
    const limit: StatusFact = { type: 'limit', limit: { kind: 'network' }, detail: 'gone' };

    expect(after(limit).limit?.limit).toEqual({ kind: 'network' });
    expect(after(limit, { type: 'answered' }).limit).toBeUndefined();
  });

  it('[H18] has the settings changed by hand since it began, and nothing else', () => {
    const standing = after(
      { type: 'settings', settings: { model: 'opus', permissionMode: 'default' } },
      { type: 'settings', settings: { permissionMode: 'bypassPermissions' } },
      { type: 'settings', settings: { permissionMode: 'plan' } },
    );

    expect(changedSettings(standing)).toEqual({ permissionMode: 'plan' });
    expect(changedSettings(after({ type: 'settings', settings: { model: 'opus' } }))).toEqual({});
  });

  it('counts background work until its end is reported', () => {
    const began: StatusFact = { type: 'background-began', callId: 'shell' };
    const ended: StatusFact = { type: 'turn-ended', detail: 'done', subAgents: 2 };

    expect(after(began, ended)).toMatchObject({ subAgents: 2, shells: new Set(['shell']) });
    expect(
      after(began, ended, { type: 'background-ended', callId: 'shell' }, { type: 'background-ended', callId: 'agent' }),
    ).toMatchObject({ subAgents: 1, shells: new Set() });
    expect(after(began, { type: 'call-answered', callId: 'shell', refused: true }).shells.size).toBe(0);
  });

  it('keeps no more than a few hundred calls that are never answered', () => {
    const calls = Array.from(
      { length: 2_000 },
      (_, n): StatusFact => ({ type: 'called', callId: `${n}`, tool: 't', detail: '' }),
    );

    expect(after(...calls).openCalls.size).toBeLessThan(300);
  });
});
