import { NEVER_RENEWED, type RenewalState } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { type Beginning, decideStartup, ownerOf } from '../decide-startup.js';
import { type AgentFacts, NO_FACTS, type TerminalFacts } from '../terminal-facts.js';

const agent: AgentFacts = { agentId: 'a1', isCleared: false, alsoEnded: [], grants: [] };
const restart = {
  type: 'restart.started',
  agentId: 'a2',
  conversation: { kind: 'fresh', id: 'a2' },
  why: 'clear',
} as const;
const with_ = (facts: Partial<TerminalFacts>): TerminalFacts => ({ ...NO_FACTS, ...facts });
const exited = (exit: NonNullable<AgentFacts['exit']>) => with_({ agent: { ...agent, exit } });
const base: Beginning = {
  facts: NO_FACTS,
  renewal: NEVER_RENEWED,
  hosted: 'nothing',
  isToStart: false,
  isAttended: false,
  hasWorkLeft: false,
};
const spawning: RenewalState = {
  ...NEVER_RENEWED,
  phase: 'spawning',
  attempt: 1,
  cause: 'firm mark',
  oldAgentId: 'a1',
  newAgentId: 'a2',
  document: '',
};

const failed: RenewalState = { ...NEVER_RENEWED, phase: 'failed', document: '', error: 'no such program' };
const ended = { ...agent, exit: { kind: 'ended' }, isCleared: true } as const;

describe('what a supervisor does first', () => {
  it.each<[string, Partial<Beginning>, ReturnType<typeof decideStartup>]>([
    ['nothing is there and nothing to start', {}, 'nothing'],
    ['nothing is there', { isToStart: true }, 'start'],
    ['a stranger runs there', { hosted: 'running', isToStart: true }, 'foreign'],
    ['its agent runs', { facts: with_({ agent }), hosted: 'running', isToStart: true }, 'go-on'],
    ['its agent went with its host', { facts: with_({ agent }), isToStart: true }, 'go-on'],
    ['a renewal is under way', { facts: with_({ agent }), renewal: spawning }, 'go-on'],
    ['a restart was promised', { facts: with_({ restart }), isToStart: true }, 'go-on'],
    ['it was stopped', { facts: with_({ agent, isStopped: true }) }, 'nothing'],
    [
      'it was stopped, and is still there',
      { facts: with_({ agent, isStopped: true }), hosted: 'running' },
      'finish-stop',
    ],
    ['it was stopped and is wanted again', { facts: with_({ agent, isStopped: true }), isToStart: true }, 'start'],
    ['it ended with its work done', { facts: exited({ kind: 'clean' }), hosted: 'exited', isToStart: true }, 'start'],
    ['it ended with work left', { facts: exited({ kind: 'clean' }), hasWorkLeft: true, isToStart: true }, 'go-on'],
    ['it crashed at work', { facts: exited({ kind: 'crashed', wasBusy: true }), isToStart: true }, 'go-on'],
    ['its user has come to work', { facts: exited({ kind: 'lost' }), isToStart: true, isAttended: true }, 'start'],
    ['no agent could take its place', { facts: with_({ agent: ended }), renewal: failed }, 'go-on'],
    [
      'no agent could take its place, as its user knows',
      { facts: with_({ agent: ended, escalation: 'x' }), renewal: failed },
      'nothing',
    ],
    [
      'no agent could take its place and it is wanted again',
      { facts: with_({ agent: ended }), renewal: failed, isToStart: true },
      'start',
    ],
  ])('where %s', (_, change, expected) => {
    expect(decideStartup({ ...base, ...change })).toBe(expected);
  });

  it('takes the running agent for the old one until that is cleared, and for no one after it', () => {
    expect(ownerOf(with_({ agent, restart }), NEVER_RENEWED)).toBe('a1');
    expect(ownerOf(with_({ agent: { ...agent, isCleared: true }, restart }), NEVER_RENEWED)).toBeUndefined();
    expect(ownerOf(with_({ agent }), spawning)).toBeUndefined();
    expect(ownerOf(with_({ agent }), NEVER_RENEWED)).toBe('a1');
  });
});
