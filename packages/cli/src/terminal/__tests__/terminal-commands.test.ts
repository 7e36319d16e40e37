import type { TypingOutcome } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { createWorld, noTerminals } from '../../__tests__/run-here.js';
import type { Terminals } from '../create-terminals.js';
import type { TerminalListing } from '../listing/terminal-listing.js';
import type { AgentStart } from '../start-agent.js';

const worldWith = (terminals: Partial<Terminals>) => createWorld({ terminals: { ...noTerminals, ...terminals } });

describe('devs claude', () => {
  it('takes its own options before the agent, passes all others on, and gives the exit code of the agent', async () => {
    const started: AgentStart[] = [];
    const world = worldWith({
      async start(request) {
        started.push(request);
        return 42;
      },
    });
    expect(
      await world.devs(['--name', 'x', '--store', 'sqlite:/a.db', 'claude', '--help', '--name', 'y', '-p']),
    ).toEqual({
      exitCode: 42,
      stdout: '',
      stderr: '',
    });
    await world.devs(['codex', '--', 'exec']);
    expect(started).toEqual([
      { agent: 'claude', args: ['--help', '--name', 'y', '-p'], name: 'x', store: { kind: 'sqlite', file: '/a.db' } },
      { agent: 'codex', args: ['--', 'exec'], store: { kind: 'project' } },
    ]);
  });
});

describe('devs send', () => {
  const outcomes: readonly { outcome: TypingOutcome; says: string; exitCode: number }[] = [
    { outcome: { kind: 'delivered', enters: 1 }, says: 'Delivered to shop.', exitCode: 0 },
    {
      outcome: { kind: 'unconfirmed', reason: 'not-confirmed', enters: 2 },
      says: 'Could not confirm delivery to shop: its records do not show it. Look with `devs attach shop`.',
      exitCode: 1,
    },
    {
      outcome: { kind: 'refused', reason: 'dialog' },
      says: 'Not sent to shop: it waits for an answer to something else, which only you can give.',
      exitCode: 1,
    },
  ];
  it.each(outcomes)('says what became of it: $outcome.kind', async ({ outcome, says, exitCode }) => {
    const sent: string[] = [];
    const world = worldWith({
      async send(name, text) {
        sent.push(name, text);
        return { name: 'shop', outcome };
      },
    });
    expect(await world.devs(['send', 'sh', 'run', 'the tests'])).toEqual({ exitCode, stdout: `${says}\n`, stderr: '' });
    expect(sent).toEqual(['sh', 'run the tests']);
    expect(JSON.parse((await world.devs(['send', 'sh', 'x', '--json'])).stdout)).toEqual({ name: 'shop', ...outcome });
  });

  it.concurrent.each([
    [['busy', 'idle', 'busy', 'idle', 'idle'], 'It is done with it, and idle.', 0],
    [['busy', 'waiting'], 'It waits for you. Look with `devs attach`.', 1],
    [['busy', undefined], 'It has ended.', 0],
  ] as const)('with --wait stays until the agent is at rest: %j', async (activities, says, exitCode) => {
    const left: ('busy' | 'idle' | 'waiting' | undefined)[] = [...activities];
    const world = worldWith({
      send: async () => ({ name: 'shop', outcome: { kind: 'delivered', enters: 1 } }),
      async list() {
        const activity = left.shift();
        return activity === undefined ? [] : ([{ name: 'shop', activity }] as never);
      },
    });
    expect(await world.devs(['send', 'shop', '--wait', 'Fix it'])).toEqual({
      exitCode,
      stdout: `Delivered to shop.\n${says}\n`,
      stderr: '',
    });
    expect(left).toEqual([]);
  });

  it('takes the text from stdin, and sends nothing where there is none', async () => {
    const world = worldWith({ send: async (_, text) => ({ name: text, outcome: { kind: 'delivered', enters: 1 } }) });
    world.files.set('-', 'from a pipe\n');
    expect((await world.devs(['send', 'sh', '-'])).stdout).toBe('Delivered to from a pipe.\n');
    expect(await world.devs(['send', 'sh', ' '])).toMatchObject({ exitCode: 2 });
  });
});

describe('devs interrupt', () => {
  it.each([
    [{ kind: 'seen' }, 'Interrupted shop: seen in its own record.', 0],
    [
      { kind: 'seen', told: { kind: 'delivered', enters: 1 } },
      'Interrupted shop: seen in its own record.\nDelivered to shop.',
      0,
    ],
    [{ kind: 'idle' }, 'shop did nothing: there was no turn to interrupt.', 0],
    [
      { kind: 'not-seen', why: 'its record\u0007 does not show it' },
      'Not seen that shop was interrupted: its record␇ does not show it. Look with `devs attach shop`.',
      1,
    ],
  ] as const)('says whether it was seen: %j', async (outcome, says, exitCode) => {
    const asked: (string | undefined)[] = [];
    const world = worldWith({
      async interrupt(name, words) {
        asked.push(name, words);
        return { name: 'shop', outcome };
      },
    });
    expect(await world.devs(['interrupt', 'sh', 'do', 'this'])).toEqual({ exitCode, stdout: `${says}\n`, stderr: '' });
    expect(await world.devs(['interrupt', 'sh'])).toMatchObject({ exitCode });
    expect(asked).toEqual(['sh', 'do this', 'sh', undefined]);
    const { stdout } = await world.devs(['interrupt', 'sh', '--json']);
    expect(JSON.parse(stdout)).toEqual({ name: 'shop', ...outcome });
  });
});

describe('devs renew', () => {
  it('says how to go back, and why it was not done, without obeying what an agent wrote', async () => {
    const world = worldWith({
      renew: async () => ({
        name: 'shop',
        outcome: { status: 'renewed', refreshCount: 1, grants: [], alsoEnded: ['vite\u0007'] },
      }),
      undoRenewal: async () => ({ name: 'shop', outcome: { status: 'refused', reason: 'never\u001b[2J renewed' } }),
    });
    expect(await world.devs(['renew', 'shop'])).toEqual({
      exitCode: 0,
      stdout:
        'Renewed shop. Back to the conversation before: devs renew shop --undo\nended with the old agent: vite␇\n',
      stderr: '',
    });
    expect(await world.devs(['renew', 'shop', '--undo'])).toEqual({
      exitCode: 1,
      stdout: 'Not renewed; shop continues as it was: never␛[2J renewed.\n',
      stderr: '',
    });
  });
});

describe('devs attach without a name', () => {
  const attachTo = async (names: readonly string[], picked?: number) => {
    const asked: (readonly string[])[] = [];
    const attached: string[] = [];
    const listed = names.map(
      (name) => ({ name, agent: 'claude', activity: 'idle', folder: '/shop' }) as TerminalListing,
    );
    const world = worldWith({
      list: async () => listed,
      async attach(name) {
        attached.push(name);
        return 0;
      },
    });
    const pick = async (choices: readonly string[]) => {
      asked.push(choices);
      return picked;
    };
    return { ...(await world.devs(['attach'], { pick })), asked, attached };
  };

  it('takes the only one', async () => {
    expect(await attachTo(['one'])).toMatchObject({ exitCode: 0, attached: ['one'], asked: [] });
  });

  it('has the user pick where several run', async () => {
    expect(await attachTo(['one', 'other'], 1)).toMatchObject({
      exitCode: 0,
      attached: ['other'],
      asked: [['one    claude  /shop', 'other  claude  /shop']],
    });
  });

  it('names them where the user cannot be asked', async () => {
    expect(await attachTo(['one', 'other'])).toMatchObject({
      exitCode: 2,
      attached: [],
      stderr: 'devs: several run: one, other. Say which: devs attach one\n',
    });
  });
});

describe('devs stop', () => {
  it('says what was ended, and fails where something is left', async () => {
    const report = {
      name: 'shop',
      wasRunning: true,
      ended: [
        { pid: 1, command: 'claude' },
        { pid: 2, command: 'vite' },
      ],
    };
    const world = worldWith({ stop: async () => ({ ...report, left: [{ pid: 3, command: 'stuck\u0007' }] }) });
    expect(await world.devs(['stop', 'shop'])).toEqual({
      exitCode: 1,
      stdout:
        'Stopped shop (claude, pid 1).\nAlso stopped its child processes:\n  2  vite\nCould not be ended: 3  stuck␇\n' +
        'Open its conversation again with `devs resume shop`.\n',
      stderr: '',
    });
  });
});

describe('devs purge', () => {
  it('removes what the terminals of the project printed, too', async () => {
    const purged: string[] = [];
    const world = worldWith({
      holdingsOf: async () => ({ ended: [{ name: 'shop', folders: ['/state/output/shop'] }], running: [] }),
      async purge(names) {
        purged.push(...names);
      },
    });
    const { exitCode, stderr } = await world.devs(['purge', '--yes']);
    expect({ exitCode, purged }).toEqual({ exitCode: 0, purged: ['shop'] });
    expect(stderr).toContain('/state/output/shop');
  });

  it('removes nothing while an agent of the project runs, and says how to end it', async () => {
    const world = worldWith({ holdingsOf: async () => ({ ended: [], running: ['shop'] }) });
    const { exitCode, stderr } = await world.devs(['purge', '--yes']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('shop. End them with `devs stop NAME` first.');
  });
});
