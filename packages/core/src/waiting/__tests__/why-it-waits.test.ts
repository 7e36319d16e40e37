import { describe, expect, it } from 'vitest';
import { timeOfDay } from '../time-of-day.js';
import { type RunSigns, type TerminalSigns, whyRunWaits, whyTerminalWaits } from '../why-it-waits.js';

const moment = (at: number) => `moment ${at}`;

describe('why a terminal waits', () => {
  it.each<[TerminalSigns, string | undefined]>([
    [{ activity: 'busy' }, undefined],
    [{ activity: 'idle', isAttended: true }, undefined],
    [{ activity: 'waiting', detail: 'a permission' }, 'waits for your answer: a permission'],
    [{ activity: 'waiting' }, 'waits for your answer'],
    [{ activity: 'idle', parkedUntil: 7 }, 'waits until moment 7 for the usage limit'],
    [{ parkedUntil: 7, parkedWhy: 'network' }, 'waits until moment 7 for the network'],
    [{ parkedUntil: 7, parkedWhy: 'the proxy is away' }, 'waits until moment 7 for the proxy is away'],
    [{ activity: 'exited', escalation: 'it crashed 4 times in a row' }, 'needs you: it crashed 4 times in a row'],
  ])('%j: %s', (signs, sentence) => expect(whyTerminalWaits(signs, moment)).toBe(sentence));
});

describe('why a run waits', () => {
  it.each<[RunSigns, string | undefined]>([
    [{ isSupervised: true, terminal: { activity: 'busy', isAttended: true } }, undefined],
    [{ isSupervised: true, question: { text: 'Euro?', isAnswered: false } }, 'waits for your answer: Euro?'],
    [{ isSupervised: true, question: { text: 'Euro?', isAnswered: true } }, 'your answer is on its way to the agent'],
    [
      { isSupervised: false, pausedWhy: 'it waits for an answer', question: { text: 'Euro?', isAnswered: true } },
      'your answer is stored: the agent gets it when the run continues',
    ],
    [{ isSupervised: false }, 'no supervisor holds it'],
    [{ isSupervised: false, pausedWhy: 'these keys are gone: A' }, 'paused: these keys are gone: A'],
    [{ isSupervised: true, terminal: { parkedUntil: 7 } }, 'waits until moment 7 for the usage limit'],
    [
      { isSupervised: true, terminal: { activity: 'idle', isAttended: true } },
      'you are attached to it, so devs types nothing. Detach with Ctrl-] d',
    ],
    [{ isSupervised: true, isPreparing: true }, 'is being prepared'],
  ])('%j: %s', (signs, sentence) => expect(whyRunWaits(signs, moment)).toBe(sentence));
});

describe('a moment', () => {
  it('is told by its time, and by its day where that is another one', () => {
    const at = new Date(2026, 10, 18, 17, 0).getTime();
    expect(timeOfDay(at, at - 60_000)).toBe('17:00');
    expect(timeOfDay(at, at - 2 * 24 * 60 * 60_000)).toBe('2026-11-18 17:00');
  });
});
