import type { AgentSettings, StoredEvent } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { factOfEvent } from '../facts-of-event.js';
import type { TerminalEvent } from '../terminal-event.js';
import { addTerminalFact, NO_FACTS, type TerminalFacts } from '../terminal-facts.js';

const add = (facts: TerminalFacts, { type, ...data }: TerminalEvent): TerminalFacts =>
  addTerminalFact(facts, { type, data, position: 1, version: 1, at: 1, stream: 't' } as unknown as StoredEvent);
const start = (why: 'first' | 'crash') =>
  ({ type: 'restart.started', agentId: 'a1', conversation: { kind: 'first', id: 'a1' }, why }) as const;
const observe = (facts: TerminalFacts, settings: AgentSettings): TerminalFacts => {
  const fact = factOfEvent(
    facts,
    { type: 'settings.changed', settings, at: 1, isPast: false },
    { agentId: 'a1', isWorkAwaited: false },
  );
  return fact === undefined ? facts : add(facts, fact);
};
const running = [start('first'), { type: 'agent.spawned', agentId: 'a1' } as const].reduce(add, NO_FACTS);

describe('what the user changed by hand', () => {
  it('[H18] is as they left it: a mode switched on and off again is not given to the next agent', () => {
    const allowed = observe(running, { permissionMode: 'acceptEdits', model: 'm' });
    expect(allowed.settings).toEqual({ permissionMode: 'acceptEdits', model: 'm' });
    const back = observe(allowed, { permissionMode: 'default', model: 'm' });
    expect(back.settings).toEqual({ permissionMode: 'default', model: 'm' });
  });

  it('[H18] is kept when its agent is restarted, and over when the user starts another', () => {
    const allowed = observe(running, { permissionMode: 'acceptEdits' });
    expect(add(allowed, start('crash')).settings).toEqual({ permissionMode: 'acceptEdits' });
    expect(add(allowed, start('first')).settings).toEqual({});
  });
});
