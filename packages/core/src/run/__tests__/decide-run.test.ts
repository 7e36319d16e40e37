import { describe, expect, it } from 'vitest';
import { decideRun, type RunPatience, type RunSignals } from '../decide-run.js';

const NOW = 1_000_000;
const PATIENCE: RunPatience = {
  idleMs: 10,
  unaskedMs: 100,
  waitingMs: 50,
  renewalMs: 1_000,
  lastWordsMs: 200,
  goneMs: 1_000,
  toolsMs: 2_000,
  hopelessToolsMs: 400,
};

const signals = (changes: Partial<RunSignals> = {}): RunSignals => ({
  now: NOW,
  workflow: 'running',
  agent: 'busy',
  since: NOW - 5_000,
  isOccupied: false,
  isActing: false,
  isParked: false,
  isAsked: true,
  hasWorked: true,
  isAnswerHeard: false,
  pushes: 0,
  hasStepEnded: false,
  isRenewalDue: false,
  isRenewalNext: false,
  isTurnEndWanted: false,
  noticed: 0,
  ...changes,
});
type Asked = Extract<ReturnType<typeof decideRun>, { do: 'escalate' }>;
const decide = (changes: Partial<RunSignals>, settings = { observe: false }) =>
  decideRun(signals(changes), settings, PATIENCE);

const PERMISSION = {
  requestId: 'r-1',
  tool: 'Bash',
  detail: 'make deploy',
  choices: [
    { id: 'go', name: 'Yes', kind: 'allow-once' },
    { id: 'no', name: 'No', kind: 'deny-once' },
  ],
} as const;
const SUBJECT = { tool: 'Bash', detail: 'make deploy' };
const TOOLS = { status: 'awaited', forMs: 2_000, restarts: 0, command: 'devs mcp' } as const;
const FAILED = { ...TOOLS, status: 'failed', error: 'the store is locked', forMs: 400 } as const;
const STUCK = { kind: 'same-action', detail: 'npm test failed 3 times in a row' } as const;
const BUDGET = { budget: 'tokens', detail: 'this run used 9 tokens of 8' };
const ASKED = { id: 'q-1', question: 'Which?', diagnosis: 'It asked.', at: 0 };
const ANSWERED = { ...ASKED, answer: 'This', answeredAt: NOW - 999 };
const LONG_ANSWERED = { ...ANSWERED, answeredAt: NOW - 1_000 };

describe('the decision about a run', () => {
  it.each<[string, Partial<RunSignals>, string]>([
    ['at work', {}, 'nothing'],
    ['starting', { agent: 'starting', since: NOW - 500 }, 'nothing'],
    ['starting, and never at its prompt', { agent: 'starting' }, 'escalate'],
    ['waiting for the provider', { agent: 'idle', isParked: true }, 'nothing'],
    ['waiting for the provider when the workflow is at its end', { workflow: 'complete', isParked: true }, 'finish'],
    ['idle since a moment ago', { agent: 'idle', since: NOW - 5 }, 'nothing'],
    ['idle with the workflow unfinished', { agent: 'idle' }, 'send'],
    ['idle, and told nothing yet', { agent: 'idle', isAsked: false }, 'send'],
    [
      'idle since it was started, with its prompt on the way',
      { agent: 'idle', hasWorked: false, since: NOW - 50 },
      'nothing',
    ],
    ['told to go on twice, for nothing', { agent: 'idle', pushes: 2 }, 'escalate'],
    ['at work while a renewal is due', { isRenewalDue: true }, 'want-turn-end'],
    ['told to pause for a renewal', { isRenewalDue: true, isTurnEndWanted: true }, 'nothing'],
    ['idle while a renewal is due', { isRenewalDue: true, agent: 'idle', since: NOW - 5 }, 'nothing'],
    ['idle, and about to be renewed', { isRenewalNext: true, agent: 'idle', since: NOW - 500 }, 'nothing'],
    ['idle for long, and not renewed after all', { isRenewalNext: true, agent: 'idle' }, 'send'],
    ['renewed after it was told to pause', { isTurnEndWanted: true }, 'settle-turn-end'],
    ['at the end of a step', { hasStepEnded: true }, 'boundary'],
    ['asked for a compact', { contextAction: 'compact' }, 'context-action'],
    ['being renewed', { agent: 'idle', isOccupied: true }, 'nothing'],
    ['being renewed when the workflow ends', { workflow: 'complete', isOccupied: true }, 'nothing'],
    ['idle while its context is seen to', { agent: 'idle', isActing: true }, 'nothing'],
    ['waiting for a person before its context can be seen to', { agent: 'waiting', isActing: true }, 'escalate'],
    ['stuck before its context can be seen to', { stuck: STUCK, isActing: true }, 'notice-stuck'],
    ['gone before its context can be seen to', { agent: 'exited', isActing: true }, 'escalate'],
    ['seen to when the workflow ends', { workflow: 'complete', isActing: true }, 'nothing'],
    ['waiting for a person since a moment ago', { agent: 'waiting', since: NOW - 5 }, 'nothing'],
    ['waiting for a person', { agent: 'waiting' }, 'escalate'],
    [
      'asking for a permission since a moment ago',
      { agent: 'waiting', since: NOW - 5, permission: PERMISSION },
      'escalate',
    ],
    [
      'asking for a permission that the user has answered',
      {
        agent: 'waiting',
        since: NOW - 5,
        permission: PERMISSION,
        escalation: { ...ANSWERED, question: 'The agent asks for a permission.', permission: SUBJECT },
      },
      'answer-permission',
    ],
    [
      'asking for another permission than the user has answered',
      {
        agent: 'waiting',
        since: NOW - 5,
        permission: PERMISSION,
        escalation: {
          ...ANSWERED,
          question: 'The agent asks for a permission.',
          permission: { ...SUBJECT, detail: 'ls' },
        },
      },
      'settle-escalation',
    ],
    [
      'no longer asking for the permission that the user has answered',
      { agent: 'idle', escalation: { ...ANSWERED, question: 'The agent asks for a permission.' } },
      'settle-escalation',
    ],
    ['gone for a moment', { agent: 'exited', since: NOW - 500 }, 'nothing'],
    ['gone for long', { agent: 'exited' }, 'escalate'],
    ['stuck for the first time', { stuck: STUCK }, 'notice-stuck'],
    ['stuck again', { stuck: STUCK, noticed: 1 }, 'escalate'],
    ['at work, with its tools on the way', { tools: { ...TOOLS, forMs: 1_900 } }, 'nothing'],
    ['at work without its tools', { tools: TOOLS }, 'restart'],
    ['idle after a turn, with its tools on the way', { tools: { ...TOOLS, forMs: 300 }, agent: 'idle' }, 'nothing'],
    ['idle after a turn without its tools', { tools: { ...TOOLS, forMs: 400 }, agent: 'idle', pushes: 2 }, 'restart'],
    ['stuck, with its tools on the way', { tools: { ...TOOLS, forMs: 300 }, stuck: STUCK, noticed: 1 }, 'nothing'],
    ['stuck for want of its tools', { tools: { ...TOOLS, forMs: 400 }, stuck: STUCK, noticed: 1 }, 'restart'],
    [
      'idle, told nothing yet, with its tools on the way',
      { tools: { ...TOOLS, forMs: 400 }, agent: 'idle', isAsked: false, hasWorked: false },
      'send',
    ],
    ['waiting for a person, and so without its tools', { tools: TOOLS, agent: 'waiting', since: NOW - 5 }, 'nothing'],
    ['gone, with a report of its tools that is left', { tools: TOOLS, agent: 'exited', since: NOW - 500 }, 'nothing'],
    ['without tools whose server cannot start, since a moment ago', { tools: { ...FAILED, forMs: 300 } }, 'nothing'],
    ['without tools whose server cannot start', { tools: FAILED }, 'restart'],
    ['without its tools after a restart', { tools: { ...TOOLS, restarts: 1 } }, 'restart'],
    ['without its tools after two restarts', { tools: { ...TOOLS, restarts: 2 } }, 'escalate'],
    ['without its tools, and being renewed', { tools: TOOLS, isOccupied: true }, 'nothing'],
    ['over its budget', { budget: BUDGET }, 'pause'],
    ['in need of its user', { needs: 'it crashed 6 times in a row' }, 'escalate'],
    ['with a question for the user', { agent: 'idle', question: 'Which?' }, 'escalate'],
    ['done after a long turn, and still talking', { workflow: 'complete', stepAt: NOW - 100 }, 'nothing'],
    ['done, and talking on and on', { workflow: 'complete', stepAt: NOW - 200 }, 'finish'],
    ['done and idle', { workflow: 'complete', agent: 'idle', since: NOW }, 'finish'],
    ['failed', { workflow: 'failed', agent: 'exited' }, 'finish'],
    ['done over its budget', { workflow: 'complete', agent: 'idle', budget: BUDGET }, 'finish'],
  ])('whose agent is %s', (_, changes, expected) => {
    expect(decide(changes).do).toBe(expected);
  });

  it('asks about an agent that does not start, without calling that a question of the agent, until it has', () => {
    const asked = decide({ agent: 'starting', screen: 'Loading…' });
    if (asked.do !== 'escalate') throw new Error(asked.do);
    expect(asked.diagnosis).toMatch(/^Its screen shows:\nLoading…\nLook at it with `devs attach`/);
    const escalation = { ...ASKED, question: asked.question };
    expect(decide({ agent: 'starting', escalation }).do).toBe('nothing');
    expect(decide({ agent: 'idle', escalation }).do).toBe('settle-escalation');
  });

  it('ends an agent that never gets its tools, and tells the user why and how to see it', () => {
    expect(decide({ tools: { ...FAILED, restarts: 2 } })).toEqual({
      do: 'escalate',
      question: 'The agent has no workflow tools. What should happen?',
      diagnosis: expect.stringMatching(
        /did not start: the store is locked\n.*restarted 2 times(?:.|\n)*devs mcp <\/dev\/null/,
      ),
      endsAgent: true,
    });
    expect(decide({ tools: TOOLS })).toMatchObject({
      why: expect.stringContaining('did not connect within 2 seconds'),
    });
  });

  it.each<[string, Partial<RunSignals>, object]>([
    [
      'nothing until he answers, whatever else is due',
      { escalation: ASKED, agent: 'idle', stuck: STUCK, contextAction: 'clear' },
      { do: 'nothing' },
    ],
    ['the budget all the same', { escalation: ASKED, agent: 'busy', budget: BUDGET }, { do: 'pause', budget: BUDGET }],
    [
      'his answer, when the agent is idle',
      { escalation: { ...ASKED, answer: 'This' }, agent: 'idle' },
      { do: 'send', prompt: 'answer' },
    ],
    [
      'his answer, where the agent shows a question',
      { escalation: { ...ASKED, answer: 'This' }, agent: 'waiting' },
      { do: 'send', prompt: 'answer' },
    ],
    [
      'his answer to a question on the screen, before its context can be seen to',
      { escalation: { ...ASKED, answer: 'This' }, agent: 'waiting', isActing: true },
      { do: 'send', prompt: 'answer' },
    ],
    [
      'his answer before its context is seen to, where the terminal waits for him, too',
      { escalation: { ...ASKED, answer: 'This' }, agent: 'idle', isActing: true, needs: 'the model refused' },
      { do: 'send', prompt: 'answer' },
    ],
    [
      'his answer after its context was seen to',
      { escalation: { ...ASKED, answer: 'This' }, agent: 'idle', isActing: true },
      { do: 'nothing' },
    ],
    [
      'an answer for heard that stands in the record later',
      { escalation: { ...ASKED, unseen: { answer: 'This', isTyped: true, why: '' } }, isAnswerHeard: true },
      { do: 'settle-escalation', how: 'the agent was told' },
    ],
    ['his answer not while it works', { escalation: { ...ASKED, answer: 'This' } }, { do: 'nothing' }],
    ['his answer not while it comes to its prompt', { escalation: ANSWERED, agent: 'starting' }, { do: 'nothing' }],
    [
      'once more, where the agent does not come to its prompt',
      { escalation: LONG_ANSWERED, agent: 'starting' },
      { do: 'ask-again', why: 'the agent does not come to its prompt' },
    ],
    ['his answer later, where the agent is long at work', { escalation: LONG_ANSWERED }, { do: 'nothing' }],
    [
      'not once more at once, where the agent goes round in circles',
      { escalation: ANSWERED, stuck: STUCK, noticed: 1 },
      { do: 'nothing' },
    ],
    [
      'once more, where the agent still goes round in circles',
      { escalation: LONG_ANSWERED, stuck: STUCK, noticed: 1 },
      { do: 'ask-again', endsAgent: true },
    ],
    [
      'a fresh agent for his answer where there is none',
      { escalation: { ...ASKED, answer: 'This' }, agent: 'exited' },
      { do: 'renew' },
    ],
    [
      'his answer not twice',
      { escalation: { ...ASKED, answer: 'This' }, agent: 'idle', isAnswerHeard: true },
      { do: 'settle-escalation' },
    ],
  ])('when the user was asked: %s', (_, changes, expected) => {
    expect(decide(changes)).toMatchObject(expected);
  });

  it('ends an agent that goes round in circles when its user is asked, and none that is at rest', () => {
    expect(decide({ stuck: STUCK, noticed: 1 })).toMatchObject({ do: 'escalate', endsAgent: true });
    expect(decide({ stuck: STUCK, noticed: 1, agent: 'idle' })).not.toHaveProperty('endsAgent');
    expect(decide({ agent: 'idle', question: 'Which?' })).not.toHaveProperty('endsAgent');
  });

  it('quotes an error that ends with a full stop as one sentence', () => {
    const stuck = { kind: 'same-error', detail: 'the same error came 3 times: No tasks yet.' } as const;
    const diagnosis = 'The same error came 3 times: No tasks yet. The agent was stuck before in this step.';
    expect(decide({ stuck, noticed: 1 })).toMatchObject({ do: 'escalate', diagnosis });
  });

  it('takes a question on the screen for answered when the agent works again', () => {
    const asked = decide({ agent: 'waiting' });
    if (asked.do !== 'escalate') throw new Error(asked.do);
    const escalation = { ...ASKED, question: asked.question, diagnosis: asked.diagnosis };
    expect(decide({ agent: 'waiting', escalation }).do).toBe('nothing');
    expect(decide({ agent: 'busy', escalation }).do).toBe('settle-escalation');
    expect(decide({ agent: 'busy', escalation: ASKED }).do).toBe('nothing');
  });

  it("shows a waiting agent's question and the possible actions: no one can attach to an ended agent", () => {
    const screen = 'Bash: rm -rf build\n❯ 1. Yes';
    const diagnosis = (changes: Partial<RunSignals>) => (decide({ agent: 'waiting', ...changes }) as Asked).diagnosis;
    expect(diagnosis({ screen })).toMatch(/Its screen shows:\nBash: rm -rf build\n❯ 1. Yes\nAttach to the terminal/);
    const ended = diagnosis({ screen, onEscalation: 'pause' });
    expect(ended).toMatch(/rm -rf build[\s\S]*the agent was ended\. Your words reach it/);
    expect(ended).not.toMatch(/attach/i);
    expect(diagnosis({})).toMatch(/stands on its screen\. Attach/);
  });

  it('gives an empty conversation everything, and asks others to continue', () => {
    expect(decide({ agent: 'idle', isAsked: false })).toEqual({ do: 'send', prompt: 'opening' });
    expect(decide({ agent: 'idle' })).toEqual({ do: 'send', prompt: 'go-on' });
  });

  it('only measures in observe mode, but begins and finishes', () => {
    const observe = { observe: true };
    expect(decide({ agent: 'idle' }, observe).do).toBe('nothing');
    expect(decide({ contextAction: 'clear' }, observe).do).toBe('nothing');
    expect(decide({ stuck: STUCK }, observe).do).toBe('nothing');
    expect(decide({ agent: 'idle', isAsked: false }, observe).do).toBe('send');
    expect(decide({ workflow: 'complete', agent: 'idle' }, observe).do).toBe('finish');
  });
});

describe('a prompt that the agent does not take', () => {
  const refused = (times: number) => ({ agent: 'idle', refused: { times, reason: 'dialog' } }) as const;

  it('[H23] is tried three times before the user is asked', () => {
    expect(decide(refused(2))).toEqual({ do: 'send', prompt: 'go-on' });
    expect(decide(refused(3))).toMatchObject({
      do: 'escalate',
      question: 'The agent does not take its prompt. What should happen?',
      diagnosis: expect.stringContaining('refused 3 times in a row (dialog)'),
    });
  });

  it('is no question any more when the agent works again', () => {
    const escalation = { ...ASKED, question: 'The agent does not take its prompt. What should happen?' };
    expect(decide({ agent: 'busy', escalation })).toMatchObject({ do: 'settle-escalation' });
  });

  it('asks for a permission with what it is about, and with its choices by number', () => {
    expect(decide({ agent: 'waiting', permission: PERMISSION })).toEqual({
      do: 'escalate',
      question: 'The agent asks for a permission.',
      diagnosis:
        'Bash: make deploy\n1. Yes\n2. No\nAnswer with a number, a name, yes or no. Other words refuse it, and the agent is told them.',
      permission: SUBJECT,
    });
  });

  it('says what to do where no user waits for a permission', () => {
    const asked = decide({ agent: 'waiting', permission: PERMISSION, onEscalation: 'pause' }) as Asked;
    expect(asked.diagnosis).toContain('devs run --detach');
  });

  it('[H24] keeps an answer whose agent is gone, and asks no user when its successor asks for the same', () => {
    const escalation = { ...ANSWERED, question: 'The agent asks for a permission.', permission: SUBJECT };
    const keptAnswer = { permission: SUBJECT, answer: 'yes' };
    const asking = { agent: 'waiting', permission: PERMISSION } as const;

    expect(decide({ agent: 'exited', escalation })).toMatchObject({ do: 'settle-escalation', isKept: true });
    expect(decide({ ...asking, keptAnswer })).toMatchObject({ do: 'escalate', answer: 'yes' });
    expect(
      decide({ ...asking, keptAnswer: { ...keptAnswer, permission: { ...SUBJECT, detail: 'make clean' } } }),
    ).not.toHaveProperty('answer');
  });

  it('[S10] never takes the answer to another question for leave', () => {
    const escalation = { ...ANSWERED, answer: 'yes' };
    expect(decide({ agent: 'waiting', permission: PERMISSION, escalation })).toMatchObject({
      do: 'answer-permission',
      as: 'refusal',
    });
  });
});
