import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, isAcknowledged, type JsonObject, showsPrompt } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCodexDriver } from '../create-codex-driver.js';

const OLD = '01a1e293-2080-7991-808e-c2d7cc2df972';
const NEW = '01a1e293-b54a-7980-bafd-cdada9da5767';
const OTHER = '01a1e294-0000-7980-bafd-cdada9da5767';
const STARTED = Date.parse('2026-11-16T04:00:00Z');
const NOBODY = 4_000_001; // more than a system has

function scene({ pid = NOBODY, conversationId }: { pid?: number; conversationId?: string } = {}, home = openHome()) {
  const events: AgentEvent[] = [];
  const watch = createCodexDriver({ clock: { now: () => STARTED }, everyMs: 3_600_000 }).watch({
    folder: '/work/shop',
    home,
    env: {},
    pid,
    startedAt: STARTED,
    args: [],
    ...(conversationId === undefined ? {} : { conversationId }),
    onEvent: (event) => events.push(event),
  });
  onTestFinished(watch.close);
  return {
    events,
    watch,
    of: <Type extends AgentEvent['type']>(type: Type) =>
      events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type),
  };
}

function openHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'devs-codex-'));
  mkdirSync(join(home, '.codex', 'sessions', '2026', '11', '16'), { recursive: true });
  mkdirSync(join(home, '.codex', 'thread-writer-locks'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

const rolloutOf = (home: string, id: string) =>
  join(home, '.codex', 'sessions', '2026', '11', '16', `rollout-2026-11-16T04-00-01-${id}.jsonl`);
const lockOf = (home: string, id: string) => join(home, '.codex', 'thread-writer-locks', `${id}.lock`);

function write(home: string, id: string, ...records: { type: string; payload: JsonObject }[]) {
  const lines = records.map((record) =>
    JSON.stringify({ timestamp: new Date(STARTED + 1_000).toISOString(), ...record }),
  );
  appendFileSync(rolloutOf(home, id), `${lines.join('\n')}\n`);
}

const meta = (id: string, rest: JsonObject = {}) => ({
  type: 'session_meta',
  payload: { id, cwd: '/work/shop', timestamp: new Date(STARTED + 900).toISOString(), source: 'cli', ...rest },
});
const event = (payload: JsonObject) => ({ type: 'event_msg', payload });
const used = (total: number) =>
  event({ type: 'token_count', info: { last_token_usage: { total_tokens: total }, model_context_window: 190_000 } });
const prompt = (text: string) => ({
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});

/** A process that opens files, as Codex does. */
async function holder(...files: string[]) {
  const program = `process.stdin.on('data', (names) => {
    for (const name of String(names).trim().split('\\n')) require('fs').openSync(name, 'a');
    console.log('open');
  })`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const open = async (...more: string[]) => {
    child.stdin.write(`${more.join('\n')}\n`);
    await once(child.stdout, 'data');
  };
  await open(...files);
  return { pid: child.pid ?? 0, open };
}

describe('watching Codex', () => {
  it('learns the conversation from the rollout that began here after the start', async () => {
    const home = openHome();
    write(home, OLD, meta(OLD, { timestamp: new Date(STARTED - 60_000).toISOString() }));
    write(home, OTHER, meta(OTHER, { cwd: '/somewhere/else' }));
    const { watch, of } = scene({}, home);
    await watch.look();
    expect(of('conversation.changed')).toEqual([]);
    write(home, NEW, meta(NEW), event({ type: 'task_started' }), prompt('do this'), used(50_025));
    await watch.look();

    expect(of('conversation.changed')).toMatchObject([{ conversationId: NEW }]);
    expect(of('usage.measured')).toMatchObject([
      { usage: { usedTokens: 50_025, windowTokens: 190_000 }, window: 'recorded' },
    ]);
    expect(of('conversation.grew').some(({ events }) => showsPrompt(events, 'do this'))).toBe(true);
  });

  it('says busy and idle with the turns, and acknowledges a compaction', async () => {
    const home = openHome();
    write(home, OLD, meta(OLD), event({ type: 'task_started' }));
    const { watch, of, events } = scene({ conversationId: OLD }, home);
    await watch.look();
    write(
      home,
      OLD,
      { type: 'compacted', payload: { message: 'a summary' } },
      used(6_000),
      event({ type: 'task_complete' }),
    );
    await watch.look();

    expect(of('signal.seen').map(({ says }) => says)).toEqual(['busy', 'idle']);
    expect(events.filter((one) => isAcknowledged('compact', one))).toHaveLength(1);
    expect(of('usage.measured').at(-1)?.usage.usedTokens).toBe(6_000);
    expect(of('turn.ended')).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux')(
    'knows by its open files which conversation is its own, and a new one at once',
    async () => {
      const home = openHome();
      write(home, OTHER, meta(OTHER)); // of another Codex in the same folder, and newer
      write(home, OLD, meta(OLD), event({ type: 'task_complete' }));
      const process = await holder(rolloutOf(home, OLD), lockOf(home, OLD));
      const { watch, of, events } = scene({ pid: process.pid }, home);
      await watch.look();
      expect(of('conversation.changed')).toMatchObject([{ conversationId: OLD }]);
      await process.open(lockOf(home, NEW));
      await watch.look();
      const later = scene({ pid: process.pid, conversationId: OLD }, home); // a supervisor that comes back
      await later.watch.look();

      const cleared = [{ conversationId: NEW, before: OLD }];
      expect(events.filter((one) => isAcknowledged('clear', one))).toMatchObject(cleared);
      expect(later.events.filter((one) => isAcknowledged('clear', one))).toMatchObject(cleared);
    },
  );

  it.runIf(process.platform === 'linux')('does not follow a sub-agent', async () => {
    const home = openHome();
    write(home, OLD, meta(OLD), event({ type: 'task_started' }));
    write(home, NEW, meta(NEW, { source: { subagent: 'review' } }));
    const { watch, of } = scene({ pid: (await holder(rolloutOf(home, OLD), rolloutOf(home, NEW))).pid }, home);
    await watch.look();

    expect(of('conversation.changed')).toMatchObject([{ conversationId: OLD }]);
  });
});
