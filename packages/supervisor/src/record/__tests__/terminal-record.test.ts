import { createEventLog } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createRenewalRecord } from '../../renewal/renewal-record.js';
import { openTerminalRecord } from '../terminal-record.js';

function openLog() {
  let ids = 0;
  return createEventLog({ backend: createMemoryBackend(), clock: { now: () => 0 }, newId: () => `commit-${ids++}` });
}
const first = {
  type: 'restart.started',
  agentId: 'a1',
  conversation: { kind: 'first', id: 'a1' },
  why: 'first',
} as const;

describe('the record of a terminal', () => {
  it('is the same for the next reader', async () => {
    const log = openLog();
    const record = openTerminalRecord(log, 't');
    await record.append({
      type: 'terminal.opened',
      launch: { agent: 'x', folder: '/p', userArgs: ['--a'], environment: ['PATH'] },
    });
    await record.append(first);
    expect(record.facts.restart).toMatchObject({ agentId: 'a1' });
    await record.append({ type: 'agent.spawned', agentId: 'a1', conversationId: 'c1' });
    await record.append({ type: 'settings.observed', settings: { model: 'm' } });
    await record.append({ type: 'agent.exited', agentId: 'a1', exit: { kind: 'crashed', exitCode: 1 } });
    expect(record.facts).toMatchObject({
      agent: { conversationId: 'c1', exit: { kind: 'crashed' } },
      settings: { model: 'm' },
    });
    expect(record.facts.restart).toBeUndefined();
    expect(await openTerminalRecord(log, 't').read()).toEqual(record.facts);
  });

  it('is written by renewals beside it without being in their way', async () => {
    const log = openLog();
    const record = openTerminalRecord(log, 't');
    const renewals = createRenewalRecord(log, 't');
    const started = {
      type: 'renewal.started',
      cause: 'asked for',
      oldAgentId: 'a1',
      newAgentId: 'a2',
      ask: false,
      at: 0,
    } as const;
    await record.append(first);
    await Promise.all([
      record.append({ type: 'limit.passed' }),
      renewals.append(started),
      record.append({ type: 'agent.spawned', agentId: 'a1' }),
    ]);
    await record.append({ type: 'settings.observed', settings: {} });
    expect(await renewals.append({ type: 'document.verified', document: 'D', added: [] })).toMatchObject({
      status: 'stored',
      state: { phase: 'committing' },
    });
    expect(await record.read()).toMatchObject({ document: 'D', renewalsStarted: 1, agent: { agentId: 'a1' } });
  });

  it('[H4] knows the handoff that each conversation began from, also when it is opened again', async () => {
    const log = openLog();
    const record = openTerminalRecord(log, 't');
    const renewals = createRenewalRecord(log, 't');
    await record.append(first);
    await record.append({ type: 'agent.spawned', agentId: 'a1', conversationId: 'c1' });
    await renewals.read();
    const told = { version: 1, conversation: { compactions: 0 }, sections: [], names: {} } as const;
    await renewals.append({ type: 'document.verified', document: 'D', told, added: [] });
    await record.append({ type: 'agent.spawned', agentId: 'a2', conversationId: 'c2' });
    expect(record.facts.agent).toMatchObject({ conversationId: 'c2', document: 'D', told });

    const back = { ...first, agentId: 'a3', why: 'undo', conversation: { kind: 'resume', id: 'c1' } } as const;
    await record.append(back);
    await record.append({ type: 'agent.spawned', agentId: 'a3', conversationId: 'c1' });
    expect(record.facts.agent?.document).toBeUndefined();

    const crash = { ...back, agentId: 'a4', why: 'crash', conversation: { kind: 'resume', id: 'c2' } } as const;
    await record.append(crash);
    await record.append({ type: 'agent.spawned', agentId: 'a4', conversationId: 'c2' });
    expect(record.facts).toMatchObject({ agent: { document: 'D', told }, resumesInARow: 1 });
    await record.append({ type: 'agent.worked', agentId: 'a4' });
    expect(record.facts.resumesInARow).toBe(0);
  });
});
