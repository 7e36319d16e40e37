import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInput, type TypingOutcome } from '@devs/core';
import { until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openScreen } from '../../screen/open-screen.js';
import { FIXTURE_INPUT, type FixtureAgent, fixtureAgent, openTestHost } from '../../testing/index.js';
import { typeConfirmed } from '../type-confirmed.js';

const POLICY = { promptTimeoutMs: 20_000, echoTimeoutMs: 20_000, deliveryTimeoutMs: 1_500 };

async function startAgent(name: FixtureAgent, ...args: number[]) {
  const test = await openTestHost();
  onTestFinished(test.dispose);
  const { host, folder } = test;
  const transcript = join(folder, 'transcript.jsonl');
  const terminal = await test.spawn({
    terminalId: 'a',
    ...fixtureAgent(name, ...args),
    env: { FIXTURE_TRANSCRIPT: transcript },
  });
  let exited = false;
  const opened = await openScreen({
    host,
    terminalId: 'a',
    onExit: () => {
      exited = true;
    },
  });
  const prompts = () =>
    (existsSync(transcript) ? readFileSync(transcript, 'utf8') : '')
      .split('\n')
      .filter((line) => line.includes('"user"'))
      .map((line) => (JSON.parse(line) as { text: string }).text);
  return {
    host,
    terminal,
    screen: opened.screen,
    prompts,
    exited: () => until(() => exited),
    until: (text: string) => until(() => opened.screen.text().includes(text)),
    type: (text: string, policy = {}): Promise<TypingOutcome> =>
      typeConfirmed({
        terminal: {
          look: () => (exited ? 'exited' : opened.screen.view()),
          write: (data) => host.write(terminal, data),
        },
        text,
        readInput: (view, wanted) => readInput(view, wanted, FIXTURE_INPUT),
        isDelivered: async () => prompts().includes(text),
        policy: { ...POLICY, ...policy },
        pollMs: 10,
      }),
  };
}

describe('typing that is confirmed', () => {
  it('[H2] waits for the prompt to be drawn, although Enter before it would be lost', async () => {
    const agent = await startAgent('answers', 0, 700);
    expect(await agent.type('hello')).toEqual({ kind: 'delivered', enters: 1 });
    expect(agent.prompts()).toEqual(['hello']);
  });

  it('sends many lines as one prompt', async () => {
    const agent = await startAgent('answers');
    const text = 'first line\nsecond line with "quotes" and $(date)\n\nlast';
    expect(await agent.type(text)).toEqual({ kind: 'delivered', enters: 1 });
    expect(agent.prompts()).toEqual([text]);
  });

  it('[H2] presses Enter again when it was swallowed', async () => {
    const agent = await startAgent('swallows-enter', 1);
    expect(await agent.type('hello')).toEqual({ kind: 'delivered', enters: 2 });
    expect(agent.prompts()).toEqual(['hello']);
  });

  it('reports an unconfirmed delivery and leaves the text in the input', async () => {
    const agent = await startAgent('swallows-enter', 5);
    expect(await agent.type('hello')).toEqual({ kind: 'unconfirmed', reason: 'not-confirmed', enters: 2 });
    expect(agent.prompts()).toEqual([]);
    expect(agent.screen.view().lines.at(-1)).toBe('> hello');
    // A second attempt finds the text and does not type it twice.
    expect(await agent.type('hello', { retries: 5 })).toMatchObject({ kind: 'delivered' });
    expect(agent.prompts()).toEqual(['hello']);
  });

  it('[H17] neither sends nor loses what another person has typed', async () => {
    const agent = await startAgent('answers');
    await agent.until('> ');
    await agent.host.write(agent.terminal, 'my own draft');
    await agent.until('my own draft');
    expect(await agent.type('hello')).toEqual({ kind: 'refused', reason: 'draft' });
    expect(agent.screen.view().lines.at(-1)).toBe('> my own draft');
    expect(agent.prompts()).toEqual([]);
  });

  it('[H20] never answers a dialog', async () => {
    const agent = await startAgent('shows-a-dialog');
    await agent.until('2. Yes');
    expect(await agent.type('hello')).toEqual({ kind: 'refused', reason: 'dialog' });
    expect((await agent.host.list())[0]?.exit).toBeUndefined();
  });

  it('ends with a value when the agent does', async () => {
    const agent = await startAgent('answers');
    await agent.until('> ');
    await agent.host.end('a', { graceMs: 1_000 });
    await agent.exited();
    expect(await agent.type('hello')).toEqual({ kind: 'refused', reason: 'exited' });
  });

  it('cannot be led to press keys by the text itself', async () => {
    const agent = await startAgent('answers');
    await agent.type('one\u001b[201~\rtwo', { echoTimeoutMs: 300, deliveryTimeoutMs: 300 });
    expect(agent.prompts().filter((text) => text === 'one')).toEqual([]);
  });
});
