import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  observeTerminal,
  SIGNAL_SOURCES,
  type SignalMeaning,
  type SignalSource,
  startedTerminal,
  type TerminalObservation,
} from '../index.js';

const signal = (at: number, source: SignalSource, says: SignalMeaning): TerminalObservation => ({
  type: 'signal.seen',
  at,
  source,
  says,
  detail: `${source} says ${says}`,
});
const background = (at: number, subAgents: number, shells: number): TerminalObservation => ({
  type: 'background.counted',
  at,
  subAgents,
  shells,
});
const after = (...observations: TerminalObservation[]) => observations.reduce(observeTerminal, startedTerminal(0));

describe('the activity of an agent', () => {
  it('is unknown until something says so', () => {
    expect(after()).toMatchObject({ activity: 'starting', since: 0, evidence: { source: 'process' } });
    expect(after(signal(5, 'title', 'busy'), signal(6, 'title', 'unknown')).activity).toBe('starting');
  });

  it('is what changed last, with its evidence', () => {
    const state = after(signal(1, 'title', 'busy'), signal(5, 'title', 'idle'), signal(9, 'title', 'idle'));
    expect(state).toMatchObject({
      activity: 'idle',
      since: 5,
      evidence: { source: 'title', detail: 'title says idle', at: 5 },
    });
  });

  it('is idle after an interruption that no hook reports', () => {
    expect(after(signal(1, 'hook', 'busy'), signal(2, 'title', 'busy'), signal(9, 'title', 'not-busy')).activity).toBe(
      'idle',
    );
  });

  it('is not derived from a permanently visible prompt', () => {
    const state = after(signal(1, 'screen', 'idle'), signal(2, 'hook', 'busy'), signal(3, 'screen', 'idle'));
    expect(state.activity).toBe('busy');
  });

  it('[H13] is waiting, and not idle, while a permission is asked for, although the title looks idle', () => {
    const asked = after(signal(1, 'title', 'busy'), signal(5, 'hook', 'waiting'), signal(6, 'title', 'not-busy'));
    expect(asked).toMatchObject({ activity: 'waiting', since: 5, evidence: { source: 'hook' } });
    expect(observeTerminal(asked, signal(9, 'title', 'busy')).activity).toBe('busy');
    expect(observeTerminal(asked, signal(9, 'screen', 'idle')).activity).toBe('idle');
  });

  it('follows the status file, if there is one', () => {
    const state = after(signal(1, 'status-file', 'waiting'), signal(5, 'hook', 'idle'), signal(6, 'title', 'busy'));
    expect(state).toMatchObject({ activity: 'waiting', evidence: { source: 'status-file' } });
    expect(observeTerminal(state, signal(7, 'status-file', 'unknown')).activity).toBe('busy');
  });

  it('is busy while sub-agents or shells work in the background, and waiting before that', () => {
    const idle = after(signal(1, 'hook', 'idle'));
    expect(observeTerminal(idle, background(2, 0, 1))).toMatchObject({
      activity: 'busy',
      evidence: { source: 'background' },
    });
    expect(after(signal(1, 'hook', 'idle'), background(2, 3, 0), background(3, 0, 0)).activity).toBe('idle');
    expect(after(background(1, 1, 0), signal(2, 'hook', 'waiting')).activity).toBe('waiting');
  });

  it('is over when the process has exited, until it is started again', () => {
    const exited = after(signal(1, 'hook', 'idle'), { type: 'terminal.exited', at: 5, exitCode: 1 });
    expect(exited).toMatchObject({ activity: 'exited', since: 5, evidence: { detail: 'exited with code 1' } });
    expect(observeTerminal(exited, signal(6, 'title', 'busy'))).toBe(exited);
    expect(observeTerminal(exited, { type: 'terminal.spawned', at: 7 })).toEqual(startedTerminal(7));
  });

  it('never counts as idle while the agent waits for an answer', () => {
    const meanings: SignalMeaning[] = ['busy', 'idle', 'waiting', 'not-busy', 'unknown'];
    const observation = fc.record({
      source: fc.constantFrom(...SIGNAL_SOURCES),
      says: fc.constantFrom(...meanings),
    });
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 8 }), (seen) => {
        const state = after(
          ...seen.map(({ source, says }, at) => signal(at + 1, source, says)),
          signal(100, 'hook', 'waiting'),
          signal(101, 'title', 'not-busy'),
        );
        const statusFile = state.signals['status-file'];
        if (statusFile === undefined) expect(state.activity).toBe('waiting');
        else if (statusFile.says !== 'not-busy') expect(state.activity).toBe(statusFile.says);
      }),
    );
  });
});
