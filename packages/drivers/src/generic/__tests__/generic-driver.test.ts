import { type AgentEvent, genericAgent, type ScreenView } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { createGenericDriver } from '../create-generic-driver.js';

const config = (changes: object = {}) =>
  genericAgent('my-agent', {
    command: ['my-agent'],
    prompt: '^> ',
    busy: '^thinking',
    waiting: '\\[y/n\\]$',
    ...changes,
  });
const driver = (changes: object = {}) => createGenericDriver(config(changes), { clock: { now: () => 7 } });
const REQUEST = {
  folder: '/work',
  home: '/home/u',
  env: { PATH: '/bin' },
  userArgs: ['--fast'],
  conversation: { kind: 'first', id: 'abc' },
  privateFolder: '/private',
} as const;
const screen = (...lines: string[]): ScreenView => ({
  columns: 80,
  rows: lines,
  lines,
  cursor: { row: 0, column: 0 },
  title: '',
  bracketedPaste: false,
  alternateScreen: false,
});

describe('any other agent', () => {
  it('is started as its user says, and unsupported parts are reported', async () => {
    const plain = await driver().launch({ ...REQUEST, firstPrompt: 'go' });
    const able = await driver({
      command: ['my-agent', '-q'],
      conversation: ['--id', '{id}'],
      resume: ['--open={id}'],
      promptArgument: true,
    });

    expect(plain).toMatchObject({ args: ['--fast'], notes: ['the first prompt has to be typed'] });
    expect(await able.launch({ ...REQUEST, systemPrompt: 'be kind', firstPrompt: 'go' })).toMatchObject({
      args: ['-q', '--id', 'abc', '--fast', 'be kind\n\ngo'],
      conversationId: 'abc',
      notes: [],
    });
    expect((await able.launch({ ...REQUEST, conversation: { kind: 'resume', id: 'x' } })).args).toEqual([
      '-q',
      '--open=x',
      '--fast',
    ]);
  });

  it('[H13] is watched by its screen, where a question comes before an empty prompt', () => {
    const events: AgentEvent[] = [];
    const watch = driver().watch({
      ...REQUEST,
      pid: 1,
      startedAt: 0,
      args: [],
      onEvent: (event) => events.push(event),
    });
    for (const view of [
      screen(''),
      screen('> '),
      screen('thinking', '> '),
      screen('thinking', '> '),
      screen('> '),
      screen('sure? [y/n]', '> '),
    ]) {
      watch.seeScreen(view);
    }
    watch.close();
    watch.seeScreen(screen('> '));

    expect(events.map((event) => (event.type === 'signal.seen' ? event.says : event.type))).toEqual([
      'unknown',
      'idle',
      'busy',
      'idle',
      'turn.ended',
      'waiting',
    ]);
  });

  it('[H8] has no usage: its context stays unknown, for any output', () => {
    const events: AgentEvent[] = [];
    const watch = driver().watch({
      ...REQUEST,
      pid: 1,
      startedAt: 0,
      args: [],
      onEvent: (event) => events.push(event),
    });
    watch.seeScreen(screen('10% until auto-compact', 'Context low', '> '));

    expect(events.filter(({ type }) => type === 'usage.measured')).toEqual([]);
  });

  it.each([{ prompt: '(' }, { busy: '[' }, { name: 'Two Words' }, { unknown: 1 }])(
    'refuses a configuration with %o',
    (changes) => {
      expect(() => config(changes)).toThrow();
    },
  );
});
