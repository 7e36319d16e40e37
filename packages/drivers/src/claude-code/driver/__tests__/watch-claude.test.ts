import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentEvent,
  isAcknowledged,
  type JsonObject,
  observeTerminal,
  showsPrompt,
  startedTerminal,
} from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClaudeCodeDriver } from '../create-claude-code-driver.js';

const ID = '11111111-2222-4333-8444-555555555555';
const NEXT = '11111111-2222-4333-8444-666666666666';
const STARTED = Date.parse('2026-11-16T04:00:00Z');
const PID = 4_000_001; // more than a system has

function scene({
  clock = { now: () => STARTED },
  ...changes
}: Partial<Parameters<typeof watchIn>[1]> & { clock?: { now(): number } } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'devs-watch-'));
  const base = join(home, '.claude');
  const project = join(base, 'projects', '-work-shop');
  mkdirSync(join(base, 'sessions'), { recursive: true });
  mkdirSync(project, { recursive: true });
  onTestFinished(() => rmSync(home, { recursive: true }));
  const events: AgentEvent[] = [];
  const watch = watchIn(home, { clock, events, ...changes });
  let number = 0;
  return {
    events,
    watch,
    of: <Type extends AgentEvent['type']>(type: Type) =>
      events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type),
    status(fields: JsonObject, pid = PID) {
      const record = { pid, sessionId: ID, cwd: '/work/shop', startedAt: STARTED + 400, ...fields };
      writeFileSync(join(base, 'sessions', `${pid}.json`), JSON.stringify(record));
      return watch.look();
    },
    write(record: JsonObject, conversationId = ID) {
      const stamped = {
        uuid: `${++number}`,
        sessionId: conversationId,
        timestamp: new Date(STARTED + 1_000 * number).toISOString(),
        ...record,
      };
      appendFileSync(join(project, `${conversationId}.jsonl`), `${JSON.stringify(stamped)}\n`);
      return watch.look();
    },
    state: () =>
      events.reduce(
        (state, event) =>
          event.type === 'signal.seen' || event.type === 'background.counted' ? observeTerminal(state, event) : state,
        startedTerminal(STARTED),
      ),
  };
}

function watchIn(
  home: string,
  {
    clock,
    events,
    conversationId = ID,
    signal,
    windowTokens,
  }: {
    clock: { now(): number };
    events: AgentEvent[];
    conversationId?: string;
    signal?: AbortSignal;
    windowTokens?: number;
  },
) {
  const watch = createClaudeCodeDriver({ clock, everyMs: 3_600_000 }).watch({
    folder: '/work/shop',
    home,
    env: {},
    pid: PID,
    startedAt: STARTED,
    args: [],
    conversationId,
    onEvent: (event) => events.push(event),
    ...(signal === undefined ? {} : { signal }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  });
  onTestFinished(watch.close);
  return watch;
}

const prompt = (content: string) => ({ type: 'user', message: { role: 'user', content }, permissionMode: 'default' });
const answer = (tokens: number, content: JsonObject[] = [{ type: 'text', text: 'ok' }]) => ({
  type: 'assistant',
  message: { id: `m${tokens}`, model: 'claude-opus-5-5', content, usage: { input_tokens: tokens, output_tokens: 5 } },
});
const ENDED = { type: 'system', subtype: 'turn_duration', durationMs: 5 };

describe('watching Claude Code', () => {
  it('sees by its status file whether it works, waits or is done', async () => {
    const { status, state } = scene();
    const seen = [state().activity];
    for (const fields of [
      {},
      { status: 'idle' },
      { status: 'busy' },
      { status: 'waiting', waitingFor: 'permission prompt' },
    ]) {
      await status(fields);
      seen.push(state().activity);
    }

    expect(seen).toEqual(['starting', 'starting', 'idle', 'busy', 'waiting']);
    expect(state().evidence).toMatchObject({ source: 'status-file', detail: 'waiting for permission prompt' });
  });

  it('takes a command in the background for work', async () => {
    const { status, state } = scene();
    await status({ status: 'shell' });
    expect(state().activity).toBe('busy');
    await status({ status: 'idle' });
    expect(state().activity).toBe('idle');
  });

  it('falls back to transcript, title and screen where the status is not understood, and says so', async () => {
    const { status, state, write, of } = scene();
    await status({ status: 'daydreaming' });
    await write(prompt('hello'));
    expect(state()).toMatchObject({ activity: 'busy', evidence: { source: 'transcript' } });
    await write(ENDED);

    expect(state()).toMatchObject({ activity: 'idle', evidence: { source: 'transcript' } });
    expect(of('signal.missed')).toMatchObject([{ detail: expect.stringContaining('daydreaming') }]);
  });

  it('takes a status file of an earlier process with the same number for nothing', async () => {
    const { status, state } = scene();
    await status({ status: 'waiting', startedAt: STARTED - 3_600_000 });

    expect(state().activity).toBe('starting');
  });

  it('[H17] shows a prompt when the transcript has it, and not before', async () => {
    const { write, of } = scene();
    await write({ type: 'queue-operation', operation: 'enqueue', content: 'do this' });
    expect(of('conversation.grew').some(({ events }) => showsPrompt(events, 'do this'))).toBe(false);
    await write(prompt('do this'));

    expect(of('conversation.grew').some(({ events }) => showsPrompt(events, 'do this'))).toBe(true);
  });

  it('[H14] measures the last call, not the sum, and ignores errors', async () => {
    const { write, of } = scene();
    await write(answer(50_000));
    await write(answer(60_000));
    await write({
      ...answer(0),
      isApiErrorMessage: true,
      message: { model: '<synthetic>', usage: { input_tokens: 0 }, content: [] },
    });

    expect(of('usage.measured').map(({ usage, window }) => [usage, window])).toEqual([
      [{ usedTokens: 50_005, windowTokens: 1_000_000 }, 'known model'],
      [{ usedTokens: 60_005, windowTokens: 1_000_000 }, 'known model'],
    ]);
  });

  it('acknowledges a compaction by its boundary, with the remaining size', async () => {
    const { write, of, events } = scene();
    await write(answer(50_000));
    expect(events.some((event) => isAcknowledged('compact', event))).toBe(false);
    await write({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'manual', preTokens: 50_005, postTokens: 3_000 },
    });

    expect(events.some((event) => isAcknowledged('compact', event))).toBe(true);
    expect(of('usage.measured').at(-1)?.usage.usedTokens).toBe(3_000);
  });

  it('acknowledges a clear by the new conversation, and follows it', async () => {
    const { write, status, events, of } = scene();
    await status({ status: 'idle' });
    await write(answer(50_000));
    expect(events.some((event) => isAcknowledged('clear', event))).toBe(false);
    await status({ status: 'idle', sessionId: NEXT });
    await write(answer(9_000), NEXT);

    expect(events.filter((event) => isAcknowledged('clear', event))).toMatchObject([
      { conversationId: NEXT, before: ID },
    ]);
    expect(of('usage.measured').at(-1)).toMatchObject({ conversationId: NEXT, usage: { usedTokens: 9_005 } });
  });

  it('lists permissions granted by hand, and no automatic ones', async () => {
    let now = STARTED + 500;
    const { write, status, of } = scene({ clock: { now: () => now } });
    const call = (id: string, command: string) =>
      answer(10, [{ type: 'tool_use', id, name: 'Bash', input: { command } }]);
    const result = (id: string) => ({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
    });
    await write(call('a', 'ls'));
    await write(result('a'));
    await write(call('b', 'touch it'));
    now = STARTED + 3_500;
    await status({ status: 'waiting', waitingFor: 'permission prompt' });
    await write(result('b'));

    expect(of('permission.granted')).toMatchObject([{ tool: 'Bash', detail: 'touch it' }]);
  });

  it("[H18] keeps the user's changes, and a limit, when the conversation is cleared", async () => {
    const { write, status, of } = scene();
    const mode = (permissionMode: string) => ({ ...prompt('x'), permissionMode });
    const limit = { isApiErrorMessage: true, apiErrorStatus: 429, error: 'rate_limit' };
    await write(mode('default'));
    await write(mode('acceptEdits'));
    await write({ type: 'assistant', message: { model: '<synthetic>', content: [] }, ...limit });
    await status({ status: 'idle', sessionId: NEXT });
    expect(of('limit.passed')).toEqual([]);
    await write(answer(9_000), NEXT);
    await write({ ...answer(9_100), message: { ...answer(9_100).message, model: 'claude-haiku-4-5' } }, NEXT);

    expect(of('limit.reached')).toHaveLength(1);
    expect(of('limit.passed')).toHaveLength(1);
    expect(of('settings.changed').map(({ settings }) => settings)).toEqual([
      { permissionMode: 'acceptEdits' },
      { permissionMode: 'acceptEdits', model: 'claude-haiku-4-5' },
    ]);
    expect(of('usage.measured').at(-1)?.usage.windowTokens).toBe(200_000);
  });

  it('marks earlier events as past', async () => {
    const { write, of } = scene({ clock: { now: () => STARTED + 3_600_000 } });
    await write({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } });

    expect(of('compaction.seen')).toMatchObject([{ isPast: true }]);
    expect(isAcknowledged('compact', of('compaction.seen')[0] as AgentEvent)).toBe(false);
  });

  it('uses the window that the user says', async () => {
    const { write, of } = scene({ windowTokens: 300_000 });
    await write(answer(50_000));

    expect(of('usage.measured')).toMatchObject([{ usage: { windowTokens: 300_000 }, window: 'configured' }]);
  });

  it('reports nothing after it was closed or aborted', async () => {
    const giving = new AbortController();
    const { write, events } = scene({ signal: giving.signal });
    await write(answer(50_000));
    const before = events.length;
    giving.abort();
    await write(answer(60_000));

    expect([before > 0, events.length]).toEqual([true, before]);
  });

  it('survives half a line, garbage and a rewritten transcript', async () => {
    const { write, of, watch, events } = scene();
    await write(answer(50_000));
    await write(answer(60_000));
    const { path = '' } = of('conversation.grew')[0] ?? {};
    appendFileSync(path, 'garbage\n{"type":"assistant","message":{"id":"half');
    await watch.look();
    writeFileSync(path, `${JSON.stringify(answer(1_000))}\n`);
    await watch.look();

    expect(of('usage.measured').at(-1)?.usage.usedTokens).toBe(1_005);
    expect(events.filter(({ type }) => type === 'signal.missed')).toEqual([]);
  });
});
