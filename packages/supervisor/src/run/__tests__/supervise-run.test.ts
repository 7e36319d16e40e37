import {
  contextActionEvent,
  DEFAULT_SETTINGS,
  type NewEvent,
  type RunEvent,
  type RunSettings,
  runEventOf,
  runStream,
  type TerminalActivity,
} from '@devs/core';
import type { TerminalHost } from '@devs/terminals';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SupervisedTerminal, TerminalStatus } from '../../supervised-terminal.js';
import { openRun } from '../prepare/open-run.js';
import { prepareFolder } from '../prepare/prepare-folder.js';
import type { RunRequest } from '../run.js';
import { createRunWatch } from '../run-watch.js';
import { superviseRun } from '../supervise-run.js';
import { newRun, openRunWorld } from './run-world.js';

const AGENT = { agentId: 'a', conversationId: 'c' } as const;

describe('what the agent of a run is told', () => {
  it('is nothing while a renewal is about to begin, and to continue if none comes', async () => {
    const { told, until, looked, pass } = await attend({ mark: 'firm', renewalMs: 1_000 });
    for (let passed = 0; passed < 900; passed += 100) {
      const before = looked();
      pass(100); // more at once would be a machine that slept
      await until(() => looked() > before + 5);
    }
    expect(told).toEqual([]);
    pass(100);
    await until(() => told.length > 0);
    expect(told[0]).toMatch(/^\[devs\] The workflow is not finished/);
  });

  it('is not to continue when a context action was requested first', async () => {
    const { told, until, asked, ask, pass } = await attend({ beforeTyping: () => ask('clear') });
    pass(1_000);
    await until(() => asked.includes('clear'));
    expect(told).toEqual([]);
  });
});

describe('a run that is stopped', () => {
  it('has its agent ended without a grace where it is stopped at once', async () => {
    const { handle, ended } = await attend({});
    await handle.stop({ now: true });
    expect(ended).toEqual([{ name: 'run', graceMs: 0 }]);
    expect(handle.status().end).toMatchObject({ status: 'paused' });
  });

  it('gives its agent time to end where it is not', async () => {
    const { handle, ended } = await attend({});
    await handle.stop({ now: false });
    expect(ended).toEqual([]);
  });
});

describe('a run whose user is asked', () => {
  it('has its agent ended where that goes round in circles', async () => {
    const stuck = { ...DEFAULT_SETTINGS.stuck, minutes: 0.001 };
    const { handle, until, pass } = await attend({ activity: 'busy', settings: { stuck } });
    await until(() => {
      pass(50);
      return handle.status().end !== undefined;
    });
    expect(handle.status().end).toMatchObject({
      status: 'paused',
      escalation: { question: expect.stringContaining('round in circles') },
    });
  });

  it.each([
    ['uses up its budget where its agent works on', 'busy', 'paused'],
    ['uses up nothing where its agent waits', 'idle', undefined],
  ] as const)('%s', async (_, activity, end) => {
    const budget = { minutes: 0.01, day: {} };
    const { handle, until, pass, store, looked } = await attend({ activity, settings: { budget } });
    await store({ type: 'escalation.raised', escalationId: 'q-1', question: 'Which?', diagnosis: '' });
    await until(() => handle.status().escalation !== undefined);
    const before = looked();
    await until(() => {
      pass(50);
      return handle.status().end !== undefined || looked() > before + 200;
    });
    expect(handle.status().end?.status).toBe(end);
    if (end !== undefined) expect(handle.status().end).toMatchObject({ budget: 'minutes', escalation: { id: 'q-1' } });
  });
});

interface Attending {
  readonly activity?: TerminalActivity;
  readonly settings?: Partial<RunSettings>;
  readonly mark?: TerminalStatus['mark'];
  readonly renewalMs?: number;
  /** The terminal has something else to do first. */
  readonly beforeTyping?: () => Promise<void>;
}

/** A run whose terminal is idle, has been told its task, and takes every prompt. */
async function attend({ activity = 'idle', settings = {}, mark = 'low', renewalMs = 0, beforeTyping }: Attending) {
  let now = Date.now();
  let looks = 0;
  const since = now;
  const { world, parts, template } = await openRunWorld({ settings });
  const timing = { ...parts.timing, idleMs: 50, renewalMs };
  const subject = newRun(template([{ id: 'one', instructions: 'Do it' }]), world.project, false, {});
  const ended: object[] = [];
  const host = {
    list: async () => [{ terminalId: 'run' }],
    end: async (name: string, { graceMs }: { readonly graceMs: number }) => void ended.push({ name, graceMs }),
    close() {},
  };
  const openHost = async () => host as unknown as TerminalHost;
  const request = { ...parts, ...subject, timing, openHost, clock: { now: () => now } } as RunRequest;
  const opened = await openRun(request, { leaseMs: 10_000, onEvent() {} });
  if (opened.status !== 'opened') throw new Error(opened.status);
  const folder = await prepareFolder(request, opened);
  if ('status' in folder) throw new Error(folder.reason);
  const watch = createRunWatch({ counted: {}, keepsRecords: false, longestLookMs: 100, now });
  watch.hear({ type: 'turn.ended', at: now, isPast: false }, AGENT.agentId);
  const told: string[] = [];
  const asked: string[] = [];
  const terminal = {
    name: 'run',
    status() {
      looks += 1;
      return {
        ...AGENT,
        ...standing(activity, since),
        mark,
        ...(mark === 'low' ? {} : { renewalDue: 'firm mark' as const }),
      };
    },
    async send(text: string, only?: { if(): boolean | Promise<boolean> }) {
      await beforeTyping?.();
      if ((await only?.if()) === false) return { kind: 'refused', reason: 'busy' };
      told.push(text);
      return { kind: 'delivered', enters: 1 };
    },
    async contextAction(action: string) {
      asked.push(action);
      return new Promise(() => {}); // it takes its time
    },
    close: async () => {},
    stop: async () => {},
  } as unknown as SupervisedTerminal;
  const leases = { isOurs: async () => true, hold() {}, stop: async () => {} };
  const ears = { onNotice() {}, onChange() {} };
  const { handle } = superviseRun({ request, folder, task: undefined, terminal, watch, opened, ears, leases });
  const append = async (event: NewEvent) => {
    const stream = runStream(opened.id);
    await world.store.log.append(stream, await world.store.log.version(stream), [event]);
  };
  const ask = (action: 'clear') =>
    append(contextActionEvent(opened.workflow.state.visit, { type: 'context-action.requested', action }));
  onTestFinished(() => handle.stop({ now: true }));
  return {
    handle,
    ended,
    store: (event: RunEvent) => append(runEventOf(event)),
    told,
    asked,
    ask,
    looked: () => looks,
    pass(ms: number) {
      now += ms;
    },
    until: (isTrue: () => boolean) => world.until('what is waited for', isTrue),
  };
}

const standing = (activity: TerminalActivity, since: number) => ({
  name: 'run',
  agent: 'fixture',
  state: { activity, since, evidence: {}, signals: {} },
  isAttended: false,
  pressure: 0,
  renewal: 'idle',
  notes: [],
});
