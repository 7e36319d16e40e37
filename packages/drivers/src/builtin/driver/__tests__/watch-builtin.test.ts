import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentEvent, ScreenView } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answered, line, opened, used } from '../../__tests__/builtin-lines.js';
import { builtinStatusFolder, builtinTranscript } from '../../builtin-places.js';
import type { BuiltinFact, BuiltinStatus } from '../../builtin-record.js';
import { createBuiltinDriver } from '../create-builtin-driver.js';

const NOW = Date.parse('2026-11-01T10:00:00.000Z');

/** The files of an agent, and the reported events. */
function openWatch() {
  const home = mkdtempSync(join(tmpdir(), 'devs-watch-'));
  const user = { home, env: {} };
  const events: AgentEvent[] = [];
  const driver = createBuiltinDriver({
    clock: { now: () => NOW },
    everyMs: 60_000,
    command: ['devs', 'agent'],
    version: '1',
  });
  const watch = driver.watch({
    ...user,
    folder: '/shop',
    pid: process.pid,
    startedAt: NOW,
    args: [],
    conversationId: 'c-1',
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => {
    watch.close();
    rmSync(home, { recursive: true, force: true });
  });
  const pathOf = (id: string) => builtinTranscript(user, '/shop', id);
  return {
    watch,
    events,
    of: <Type extends AgentEvent['type']>(type: Type) =>
      events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type),
    write(id: string, ...facts: BuiltinFact[]) {
      mkdirSync(dirname(pathOf(id)), { recursive: true });
      for (const fact of facts) appendFileSync(pathOf(id), `${line(fact)}\n`);
    },
    status(id: string, status: Partial<BuiltinStatus>) {
      const folder = builtinStatusFolder(user);
      mkdirSync(folder, { recursive: true });
      const whole = { conversation: id, path: pathOf(id), says: 'idle', detail: '', startedAt: NOW, ...status };
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(whole));
    },
  };
}

const titled = (title: string): ScreenView => ({
  columns: 80,
  rows: [],
  lines: ['devs> '],
  cursor: { row: 0, column: 6 },
  title,
  bracketedPaste: true,
  alternateScreen: false,
});

describe('watching the built-in agent', () => {
  it('reports its state, its context usage, and the end of its turn', async () => {
    const { watch, write, status, of } = openWatch();
    write('c-1', opened, { type: 'request', id: 'r', text: 'Go' }, { type: 'state', says: 'busy', detail: 'at work' });
    status('c-1', { says: 'busy' });
    await watch.look();
    write('c-1', used(31_000), answered('end_turn', { message: 'Done.' }), {
      type: 'state',
      says: 'idle',
      detail: 'the turn ended',
    });
    status('c-1', { says: 'idle' });
    await watch.look();

    expect(
      of('signal.seen')
        .filter(({ source }) => source === 'status-file')
        .map(({ says }) => says),
    ).toEqual(['busy', 'idle']);
    expect(of('usage.measured')).toMatchObject([
      { usage: { usedTokens: 31_000, windowTokens: 100_000 }, window: 'recorded' },
    ]);
    expect(of('turn.ended')).toHaveLength(1);
  });

  it('reports the proof of a compaction and a clear', async () => {
    const { watch, write, status, of } = openWatch();
    write('c-1', opened, used(40_000));
    status('c-1', {});
    await watch.look();
    write('c-1', { type: 'compaction', trigger: 'manual', summary: 's', tokensBefore: 40_000, tokensAfter: 900 });
    await watch.look();
    expect(of('compaction.seen')).toMatchObject([{ trigger: 'manual', tokensBefore: 40_000, tokensAfter: 900 }]);
    expect(of('usage.measured').at(-1)).toMatchObject({ usage: { usedTokens: 900 } });

    write('c-2', { ...opened, id: 'c-2' } as BuiltinFact);
    status('c-2', {});
    await watch.look();
    expect(of('conversation.changed').at(-1)).toMatchObject({ conversationId: 'c-2', before: 'c-1' });
  });

  it('reports protocol repairs, a limit, and the end of the limit', async () => {
    const { watch, write, status, of } = openWatch();
    status('c-1', {});
    write(
      'c-1',
      opened,
      { type: 'resumed', turn: 1 },
      { type: 'corrected', turn: 2, corrections: 1 },
      { type: 're-injection', turn: 5, tokens: 77 },
    );
    write('c-1', { type: 'limit', kind: 'usage-limit', until: NOW + 1_000, detail: 'too much' });
    await watch.look();
    expect(of('protocol.observed')).toMatchObject([
      { what: 'resumed' },
      { what: 'corrected' },
      { what: 're-injected', tokens: 77 },
    ]);
    expect(of('limit.reached')).toMatchObject([
      { limit: { kind: 'usage-limit', until: NOW + 1_000 }, detail: 'too much' },
    ]);
    write('c-1', used(10));
    await watch.look();
    expect(of('limit.passed')).toHaveLength(1);
  });

  it('does not call it idle before its screen shows so, so that no text is typed over old content', async () => {
    const { watch, write, status, of } = openWatch();
    const says = () =>
      of('signal.seen')
        .filter(({ source }) => source === 'status-file')
        .at(-1)?.says;
    write('c-1', opened);
    watch.seeScreen(titled('devs agent: busy (3)'));
    status('c-1', { says: 'idle', shown: 4 });
    await watch.look();
    expect(says()).toBe('busy');
    watch.seeScreen(titled('devs agent: idle (4)'));
    await watch.look();
    expect(says()).toBe('idle');
  });

  it('takes nothing from a process of before that had the same number', async () => {
    const { watch, status, of } = openWatch();
    status('c-7', { startedAt: NOW - 60_000 });
    await watch.look();
    expect(of('conversation.changed')).toMatchObject([{ conversationId: 'c-1' }]);
  });
});
