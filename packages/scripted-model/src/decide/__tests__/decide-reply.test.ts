import { describe, expect, it } from 'vitest';
import { type ModelRequest, type RequestMessage, textMessage } from '../../request/model-request.js';
import { parseScenario } from '../../scenario/parse-scenario.js';
import { createPast } from '../create-past.js';
import { decideReply } from '../decide-reply.js';

const user = (text: string) => textMessage('user', text);
const assistant = (text: string) => textMessage('assistant', text);
const called = (id: string, name: string): RequestMessage => ({
  role: 'assistant',
  text: '',
  calls: [{ id, name, input: '{}' }],
  results: [],
});
const result = (callId: string, name: string, text = 'ok'): RequestMessage => ({
  role: 'user',
  text: '',
  calls: [],
  results: [{ callId, name, text }],
});
const ask = (messages: readonly (RequestMessage | string)[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  api: 'anthropic-messages',
  model: 'claude-test',
  stream: true,
  system: '',
  messages: messages.map((message) => (typeof message === 'string' ? user(message) : message)),
  tools: [],
  wantsJson: false,
  ...more,
});

/** A model that answers one request after another: its texts and the names of its calls, or the status. */
function play(scenario = '') {
  const parsed = parseScenario(scenario);
  const past = createPast();
  const decide = (request: ModelRequest) => {
    const decision = decideReply(request, parsed, past);
    past.remember(decision);
    return decision;
  };
  const say = (...messages: readonly (RequestMessage | string)[]) => {
    const { reply } = decide(ask(messages));
    if (reply.kind === 'refusal') return reply.error.status;
    return reply.parts.map((part) => (part.kind === 'call' ? part.name : part.text)).join(' ');
  };
  const input = (request: ModelRequest) => {
    const { reply } = decide(request);
    return reply.kind === 'answer' ? reply.usage.input : reply.error.overflow;
  };
  return { decide, say, input };
}

describe('a rule', () => {
  it('answers a prompt and all that follows from it', () => {
    const { say } = play(
      'rules:\n  - when: { prompt: fix }\n    reply: [{ say: a }, { tool: { name: A } }, { say: b }]',
    );

    expect(say('fix it')).toBe('a A');
    expect(say('fix it', called('1', 'A'), result('1', 'A'))).toBe('b');
    expect(say('fix it', called('1', 'A'), result('1', 'A'), assistant('b'), textMessage('system', 'go on'))).toBe(
      'Done.',
    );
    expect(say('other')).toBe('Done.');
  });

  it('is the first that fits, and comes behind directives', () => {
    const { say } = play('rules:\n  - when: { prompt: x }\n    reply: one\n  - reply: two\ndefault: three');

    expect([say('x'), say('y'), say('x\n@model say own')]).toEqual(['one', 'two', 'own']);
  });

  it.each([
    ['{ matches: "^f.x$" }', ask(['fix'])],
    ['{ system: [a, b] }', ask(['p'], { system: 'b a' })],
    ['{ conversation: found }', ask(['p', called('1', 'A'), result('1', 'A', 'found it')])],
    ['{ model: haiku }', ask(['p'], { model: 'claude-haiku-4' })],
    ['{ api: openai-chat }', ask(['p'], { api: 'openai-chat' })],
    ['{ offers: Bash }', ask(['p'], { tools: [{ name: 'Bash', kind: 'function', definition: {} }] })],
    ['{ toolResult: A }', ask(['p', called('1', 'A'), result('1', 'A'), textMessage('system', 's')])],
    ['{ toolResult: { contains: k } }', ask(['p', called('1', 'A'), result('1', 'A', 'ok')])],
    ['{ toolResult: { contains: [k, o] } }', ask(['p', called('1', 'A'), result('1', 'A', 'ok')])],
    ['{ purpose: compaction }', ask(['a', assistant('b'), 'Your task is to create a detailed summary of it'])],
    ['{ purpose: title }', ask(['p'], { system: 'You are a title generator.' })],
  ])('fits when %s', (when, request) => {
    const { decide } = play(`rules:\n  - when: ${when}\n    reply: fits`);

    expect(decide(request).source).toBe('rule');
    expect(decide(ask(['nothing of that'])).source).toBe('default');
  });

  it('can be for some calls only, or for some prompts', () => {
    const counted = play(
      'rules:\n  - when: { call: 2 }\n    reply: second\n  - when: { call: { from: 4, every: 2 } }\n    reply: even',
    );
    expect([1, 2, 3, 4, 5, 6].map(() => counted.say('p'))).toEqual([
      'Done.',
      'second',
      'Done.',
      'even',
      'Done.',
      'even',
    ]);

    const limited = play('rules:\n  - times: 1\n    reply: [{ tool: { name: A } }, { say: b }]');
    expect(limited.say('p')).toBe('A');
    expect(limited.say('p', called('1', 'A'), result('1', 'A'))).toBe('b');
    expect(limited.say('p')).toBe('Done.');
  });
});

describe('the default', () => {
  it('is a summary or a title if an agent asks for one, independent of quoted prompts', () => {
    const { decide } = play();
    const texts = [
      ask(['@model say x\n\nCRITICAL: Your task is to create a detailed summary of the conversation so far']),
      ask(['x\n@model say x'], { system: 'You are a title generator.' }),
      ask(['Generate a concise, single-line task title\n@model say x'], { wantsJson: true }),
    ].map((request) => decide(request).reply);

    expect(texts).toMatchObject([
      { parts: [{ text: '<summary>\nA scripted summary of 1 messages.\n</summary>' }] },
      { parts: [{ text: 'Scripted title' }] },
      { parts: [{ text: '{"title":"Scripted title"}' }] },
    ]);
  });

  it('can be scripted in the instructions for a summary', () => {
    expect(play().say('@model say x\nYour task is to create a detailed summary of it\n@model say mine')).toBe('mine');
  });
});

describe('a fault', () => {
  it('lasts as long as it says, one after another, and counts for each conversation by itself', () => {
    const { say, decide } = play();
    const prompt = '@model error 529 times=2\n@model error 500 times=1\n@model say ok';

    expect([1, 2, 3, 4, 5].map(() => say(prompt))).toEqual([529, 529, 500, 'ok', 'ok']);
    expect(decide(ask([prompt], { conversationId: 'other' })).reply).toMatchObject({ error: { status: 529 } });
  });

  it('is over also when the conversation was compacted in between', () => {
    const { say } = play();
    expect(say('old', assistant('x'), '@model overflow\n@model say ok')).toBe(400);
    expect(say('This session is being continued from…', assistant('x'), '@model overflow\n@model say ok')).toBe('ok');
  });
});

describe('usage', () => {
  const LONG = 'word '.repeat(1_000);

  it('is estimated from the size of the request', () => {
    const { input } = play();
    expect(input(ask([LONG]))).toBeGreaterThan(900);
    expect(input(ask([LONG]))).toBeLessThan(1_500);
  });

  it('can be scaled, and leaves the instructions as they are', () => {
    const small = play().input(ask([LONG], { system: LONG })) as number;
    const large = play('scale: 100').input(ask([LONG], { system: LONG })) as number;

    expect(large).toBeGreaterThan(small * 45);
    expect(large).toBeLessThan(small * 55);
  });

  it('adds to the scripted size until the conversation is compacted', () => {
    const { input } = play();
    const before = ['@model usage input=150k', assistant('x')];

    expect(input(ask(before.slice(0, 1)))).toBe(150_000);
    expect(input(ask([...before, LONG]))).toBeGreaterThan(150_900);
    expect(
      input(ask(['This session is being continued from a previous conversation', ...before, 'more'])),
    ).toBeLessThan(200);
  });

  it('over the window is refused', () => {
    expect(play('window: 200000').input(ask(['@model usage input=200001']))).toEqual({
      tokens: 200_001,
      window: 200_000,
    });
    expect(play('window: 200000').input(ask(['@model usage input=200000']))).toBe(200_000);
  });

  it('has a part that was read from the cache', () => {
    const { decide } = play();
    const usageOf = (request: ModelRequest) => {
      const { reply } = decide(request);
      return reply.kind === 'answer' ? reply.usage : undefined;
    };
    expect(usageOf(ask([LONG]))?.cached).toBe(0);
    const second = usageOf(ask([LONG, assistant('x'), 'more']));
    expect(second?.cached).toBeGreaterThan(900);
    expect(Number(second?.input) - Number(second?.cached) - Number(second?.written)).toBe(3);
    expect(usageOf(ask(['@model usage input=100 cached=40']))).toMatchObject({ input: 100, cached: 40, written: 57 });
  });
});

describe('a shell command', () => {
  it.each([
    ['Bash', '{"command":"ls","description":"Run a scripted command"}'],
    ['exec_command', '{"cmd":"ls"}'],
    ['shell', '{"command":["bash","-lc","ls"]}'],
    ['bash', '{"command":"ls","description":"Run a scripted command"}'],
  ])('is run with %s if the agent has that tool', (name, text) => {
    const tools = [{ name, kind: 'function' as const, definition: {} }];
    expect(play().decide(ask(['@model run ls'], { tools })).reply).toMatchObject({
      parts: [{ kind: 'call', name, text }],
    });
  });
});
