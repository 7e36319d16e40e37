import { describe, expect, it } from 'vitest';
import { findPrompt } from '../find-prompt.js';
import { type RequestMessage, textMessage } from '../model-request.js';

const user = (text: string) => textMessage('user', text);
const results = (text: string): RequestMessage => ({
  ...user(text),
  results: [{ callId: 'c', name: 'A', text: 'ok' }],
});
const calls: RequestMessage = { ...textMessage('assistant', 'x'), calls: [{ id: 'c', name: 'A', input: '{}' }] };

describe('the prompt', () => {
  it.each([
    ['is what the user last said', [user('a'), textMessage('assistant', 'b'), user('c')], { text: 'c', results: 0 }],
    ['is not what the system says behind it', [user('a'), textMessage('system', 's')], { text: 'a', results: 0 }],
    ['is not a reminder', [user('a'), user('<system-reminder>\n@model say x\n</system-reminder>')], { text: 'a' }],
    ['is what stands beside reminders', [user('<system-reminder>r</system-reminder>\nb')], { text: 'b', index: 0 }],
    ['is not what Codex adds', [user('a'), user('# AGENTS.md instructions for /x\n')], { text: 'a' }],
    [
      'stays with its results',
      [user('a'), calls, results('<system-reminder>r</system-reminder>')],
      { text: 'a', results: 1 },
    ],
    ['is what was typed while a tool ran', [user('a'), calls, results('b')], { text: 'b', results: 0 }],
    ['is nothing where nobody said anything', [], { text: '', index: -1 }],
  ])('%s', (_what, messages, expected) => {
    expect(findPrompt({ messages })).toMatchObject(expected);
  });

  it('is answered when the model has spoken and called nothing', () => {
    const said = textMessage('assistant', 'b');
    const answered = (...messages: RequestMessage[]) => findPrompt({ messages }).answered;

    expect([answered(user('a'), calls, results('')), answered(user('a'), said, textMessage('system', 's'))]).toEqual([
      false,
      true,
    ]);
  });
});
