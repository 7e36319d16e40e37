import { randomUUID } from 'node:crypto';
import { AFTER_LIMIT_PROMPT, LEDGER_LEAD } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { superviseTerminal } from '../supervise-terminal.js';
import { IMPATIENT_TYPING, isIdle, openWorld, TIMING } from './world.js';

const attended = { attended: true, timing: { ...TIMING, attendedMs: 400 } } as const;

describe('a supervised terminal', () => {
  it('has one supervisor, and the next is told who that is', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ by: 'the first' });
    expect(await superviseTerminal(world.request())).toMatchObject({ status: 'held', by: 'the first' });
    await terminal.close();
    expect(await superviseTerminal(world.request({ name: 'other', launch: undefined }))).toEqual({
      status: 'nothing-to-supervise',
    });
  });

  it('[H16] continues without its supervisor, and the next one takes it up', async () => {
    const world = await openWorld();
    const first = await world.supervise();
    await world.until('idle', isIdle(first));
    await first.send('Take your time @usage 30000 @wait 300');
    await first.close();
    const second = await world.supervise({ launch: undefined });
    await world.until('the usage', () => second.status().usage?.usedTokens === 30_000);
    await world.until('idle', isIdle(second));
    expect(await second.send('Still there?')).toMatchObject({ kind: 'delivered' });
    expect(world.starts()).toHaveLength(1);
    await second.renew();
    expect(world.starts().at(-1)?.args).toEqual(expect.arrayContaining(['--theirs', 'kept']));
    expect(world.starts().at(-1)?.system).toContain('BASE PROMPT');
  });

  it('[H17] is told of its pressure, and left alone, while its user is there', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise(attended);
    await world.until('idle', isIdle(terminal));
    await terminal.send('Fill it @usage 70000');
    await world.until('told', () => world.notices.some(({ kind }) => kind === 'pressure'));
    expect(world.notices.filter(({ kind }) => kind === 'pressure')).toEqual([
      { kind: 'pressure', mark: 'firm', pressure: 0.7 },
    ]);
    expect(world.starts()).toHaveLength(1);
    terminal.user({ attached: false });
    await world.until('renewed when he had gone', () => terminal.status().contextRefreshCount === 1);
  });

  it('[H17] is not renewed over a draft', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    const host = await world.request().openHost();
    const [hosted] = await host.list();
    if (hosted === undefined) throw new Error('no terminal');
    await world.say(terminal, 'Fill it @usage 40000');
    await world.until('idle', isIdle(terminal));
    await host.write(hosted, 'What I was about to');
    await world.until('the draft', () => terminal.status().isAttended);
    expect(await terminal.send('More @usage 70000')).toEqual({ kind: 'refused', reason: 'draft' });
    host.close();
    expect(world.starts()).toHaveLength(1);
  });

  it('[H16] is started by the next host where the host dies right after starting it', async () => {
    const world = await openWorld();
    const { openHost } = world.request();
    let isKilled = false;
    const openDying = async () => {
      const host = await openHost();
      const spawn: typeof host.spawn = async (request) => {
        const outcome = await host.spawn(request);
        if (!isKilled) process.kill(host.pid, 'SIGKILL');
        isKilled = true;
        return outcome;
      };
      return new Proxy(host, { get: (target, key) => (key === 'spawn' ? spawn : Reflect.get(target, key, target)) });
    };
    const terminal = await world.supervise({ openHost: openDying });
    await world.until('idle', isIdle(terminal));
    expect([isKilled, world.running().length]).toEqual([true, 1]);
  });

  it('[H13] [H20] waits when it asks something: the question stays unanswered, and its user is notified', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await terminal.send('Ask me @usage 90000 @dialog');
    await world.until('told', () => world.notices.some(({ kind }) => kind === 'waiting'));
    expect(await terminal.send('Go on')).toEqual({ kind: 'refused', reason: 'dialog' });
    expect(terminal.status()).toMatchObject({ needs: { kind: 'answer' }, contextRefreshCount: 0 });
    expect(world.running()).toHaveLength(1);
  });

  it('[H20] has a question answered that its user answered in advance, and no other', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ answers: [{ question: /^Do you want to proceed/, keys: '2' }] });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Ask me @dialog');
    // Its own record can say that it waits before the question is drawn, and a notice of that is true.
    expect(world.notices.filter(({ kind }) => kind !== 'waiting')).toEqual([]);
    const stored = await world.store.log.read({ limit: 1_000 });
    expect(stored.filter(({ type }) => type === 'dialog.answered')).toHaveLength(1);
    expect(world.running()).toHaveLength(1);
  });

  it('[H19] is resumed in its own conversation when it crashed with plenty of room', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { resumeMs: 50 } });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Begin');
    await terminal.send('Fall over @wait 100 @crash');
    await world.until('resumed', () => world.notices.some(({ kind }) => kind === 'resumed'));
    await world.until('idle', isIdle(terminal));
    const [first, second] = world.starts();
    expect(second).toMatchObject({ conversation: first?.conversation, resumed: true });
    expect(world.running()).toHaveLength(1);
  });

  it('[H12] is renewed when it crashed with a full context', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ hasWorkLeft: () => true });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Fill it @usage 60000');
    await terminal.send('Fall over @usage 60000 @wait 50 @crash');
    await world.until('renewed', () => terminal.status().contextRefreshCount === 1);
    expect(world.starts().at(-1)).toMatchObject({ resumed: false });
    expect(world.running()).toHaveLength(1);
  });

  it('is started fresh from its handoff when it exits cleanly with work left (maybeAutoHandoff), and is done without', {
    tags: 'long',
  }, async () => {
    const world = await openWorld();
    let hasWorkLeft = true;
    const terminal = await world.supervise({ hasWorkLeft: () => hasWorkLeft });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Write the parser @write parser.ts @exit');
    await world.until('fresh', () => terminal.status().contextRefreshCount === 1);
    expect(world.starts().at(-1)?.system).toContain('Write the parser');
    const events = await world.store.log.read({ stream: 'terminal:parser' });
    expect(events.find(({ type }) => type === 'renewal.started')?.data).toMatchObject({ cause: 'clean exit' });
    await world.until('idle', isIdle(terminal));
    hasWorkLeft = false;
    await terminal.send('That was all @exit');
    await world.until('done', () => world.notices.some(({ kind }) => kind === 'done'));
    expect(world.starts()).toHaveLength(2);
  });

  it('is left ended by a clean exit where maybeAutoHandoff is switched off, and says so', {
    tags: 'long',
  }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ hasWorkLeft: () => true, policy: { autoHandoff: false } });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Write the parser @exit');
    await world.until('done', () => world.notices.some(({ kind }) => kind === 'done'));
    expect(terminal.status()).toMatchObject({ contextRefreshCount: 0, exitCode: 0, isReplacing: false });
    expect(world.starts()).toHaveLength(1);
  });

  it('is escalated when it crashes again and again', { tags: 'long' }, async () => {
    const world = await openWorld({ behaviour: 'fails-to-start' });
    const terminal = await world.supervise({ hasWorkLeft: () => true, policy: { resumeMs: 5, mostResumes: 2 } });
    await world.until('escalated', () => world.notices.some(({ kind }) => kind === 'escalated'));
    expect(terminal.status().needs).toMatchObject({ kind: 'escalation' });
    expect(world.starts()).toHaveLength(3);
    expect(world.running()).toEqual([]);
  });

  it('is parked at a limit until the provider answers again, and then continues', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await terminal.send('Too much @limit 400');
    await world.until('parked', () => world.notices.some(({ kind }) => kind === 'parked'));
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'parked', until: expect.any(Number) }));
    await world.until('on again', () => terminal.status().parkedUntil === undefined);
    await world.until('idle', isIdle(terminal));
    expect(world.notices.filter(({ kind }) => kind === 'parked')).toHaveLength(1);
    await world.until('told to go on', () => world.prompts().includes(AFTER_LIMIT_PROMPT));
  });

  it('compacts and clears when a step asks for it, seen in its own records', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { ledgerAfterCompaction: false } });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Fill it @usage 40000');
    expect(await terminal.contextAction('compact')).toEqual({ kind: 'acknowledged', attempts: 1, how: 'command' });
    await world.until('less pressure', () => terminal.status().usage?.usedTokens === 2_000);
    const { conversationId } = terminal.status();
    expect(await terminal.contextAction('clear')).toEqual({ kind: 'acknowledged', attempts: 1, how: 'command' });
    await world.until('another conversation', () => terminal.status().conversationId !== conversationId);
    expect(world.starts()).toHaveLength(1);
  });

  it.each([
    ['refuses-once', 'types a command again that came too early for the agent', ['/clear']],
    ['draws-late', 'types no command while the display says that the agent works', []],
  ])('(%s) %s', { tags: 'long' }, async (behaviour, _, refused) => {
    const world = await openWorld({ behaviour });
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser @wait 800'); // its display is always a little behind its records
    const outcome = await terminal.contextAction('clear');
    expect(outcome).toEqual({ kind: 'acknowledged', attempts: 1, how: 'command' });
    expect(world.refused()).toEqual(refused);
  });

  it('clears by a new process if the running one was started with a handoff, and leaves none', {
    tags: 'long',
  }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser @write parser.ts');
    await terminal.renew();
    await world.until('idle', isIdle(terminal));
    expect(world.starts().at(-1)?.system).toContain('# Handoff');
    expect(await terminal.contextAction('clear')).toEqual({ kind: 'acknowledged', attempts: 1, how: 'new-process' });
    await world.until('the new process', () => world.starts().length === 3);
    expect(world.starts().at(-1)).toMatchObject({ resumed: false, system: 'BASE PROMPT' });
    await world.until('idle', isIdle(terminal));
    expect(await terminal.contextAction('clear')).toMatchObject({ kind: 'acknowledged', how: 'command' });
    expect(world.running()).toHaveLength(1);
  });

  it('is not renewed, nor given anything, while its conversation is over', { tags: 'long' }, async () => {
    const world = await openWorld();
    let isOver = true;
    let asked = 0;
    const isConversationOver = async () => {
      asked += 1;
      return isOver;
    };
    const terminal = await world.supervise({ isConversationOver });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Fill it @usage 70000');
    await world.until('considered again and again', () => asked > 3);
    expect(terminal.status()).toMatchObject({ mark: 'firm', renewal: 'idle', contextRefreshCount: 0 });
    expect(world.starts()).toHaveLength(1);
    isOver = false;
    await world.until('renewed', () => terminal.status().contextRefreshCount === 1);
  });

  it('is not told what has become needless when its turn comes', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    expect(await terminal.send('Go on', { if: async () => false })).toEqual({ kind: 'refused', reason: 'busy' });
    expect(world.prompts()).toEqual([]);
  });

  it('tries a context action once more, then clears by a new process, or says that it could not compact', {
    tags: 'long',
  }, async () => {
    const world = await openWorld({ behaviour: 'ignores-compact ignores-clear' });
    const terminal = await world.supervise({ timing: { ...TIMING, actionMs: 500 }, typing: IMPATIENT_TYPING });
    await world.until('idle', isIdle(terminal));
    expect(await terminal.contextAction('compact')).toMatchObject({ kind: 'abandoned' });
    expect(await terminal.contextAction('clear')).toEqual({ kind: 'acknowledged', attempts: 3, how: 'new-process' });
    await world.until('the new process', () => world.starts().length === 2);
    expect(world.starts().at(-1)).toMatchObject({ resumed: false, system: 'BASE PROMPT' });
    expect(world.running()).toHaveLength(1);
  });

  it('gives what the compaction left out, once', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser @write parser.ts');
    await terminal.contextAction('compact');
    const ledgers = () => world.prompts().filter((text) => text.startsWith(LEDGER_LEAD));
    await world.until('the ledger', () => ledgers().length > 0);
    await world.say(terminal, 'And now?');
    expect(ledgers()).toHaveLength(1);
    expect(ledgers()[0]).toContain('parser.ts');
  });

  it('[3_MCP-TAS-089] is given the summaries again after N turns, and when the specs changed', {
    tags: 'long',
  }, async () => {
    const world = await openWorld();
    let prdSummary = 'The PRD';
    const summaries = { getSummary: async () => ({ tasSummary: 'The TAS', prdSummary }) };
    const terminal = await world.supervise({ summaries, policy: { reminderTurns: 2 } });
    const text = () => `[CONTEXT REFRESH]\n## TAS Summary\nThe TAS\n\n## PRD Summary\n${prdSummary}`;
    const given = () => world.prompts().filter((prompt) => prompt === text()).length;
    await world.say(terminal, 'one');
    expect(given()).toBe(0);
    await world.say(terminal, 'two');
    await world.until('given', () => given() === 1);
    prdSummary = 'Another PRD';
    await world.until('given again', () => given() === 1);
  });

  it('is given the blocked tasks beside the summaries', async () => {
    const world = await openWorld();
    await world.store.tasks.add([{ id: 'deploy', intent: 'Deploy the shop' }]);
    const claim = await world.store.tasks.claim({ by: 'test', leaseMs: 60_000, id: 'deploy' });
    if (claim.status !== 'claimed') throw new Error(claim.status);
    await world.store.tasks.block({ id: 'deploy', fence: claim.fence, reason: 'no key' });
    const summaries = { getSummary: async () => ({ tasSummary: 'The TAS', prdSummary: 'The PRD' }) };
    const terminal = await world.supervise({ summaries, policy: { reminderTurns: 1 } });
    await world.say(terminal, 'one');
    const reminder = () => world.prompts().find((prompt) => prompt.startsWith('[CONTEXT REFRESH]')) ?? '';
    await world.until('the reminder', () => reminder() !== '');
    expect(reminder()).toMatch(/The PRD\n\n## READ-ONLY CONTEXT[\s\S]*"active_blockers"[\s\S]*"reason": "no key"/);
  });

  it('[H11] ends with everything that it started when it is stopped, and gives its task back', async () => {
    const world = await openWorld({ behaviour: 'forks ignores-sigterm' });
    await world.store.tasks.add([{ id: 'T1', intent: 'Write the parser' }]);
    const claim = await world.store.tasks.claim({ by: 'test', leaseMs: 60_000, id: 'T1' });
    if (claim.status !== 'claimed') throw new Error(claim.status);
    const terminal = await world.supervise({ task: { id: 'T1', fence: claim.fence } });
    await world.until('idle', isIdle(terminal));
    const [agent] = world.running();
    const report = await terminal.stop();
    expect(report).toMatchObject({ manner: 'killed', survivors: [] });
    expect(report.ended.map(({ pid }) => pid)).toContain(agent?.pid);
    expect(report.ended).toHaveLength(2);
    expect(world.running()).toEqual([]);
    expect((await world.store.tasks.get('T1'))?.status).toBe('pending');
    await terminal.close();
    expect(await superviseTerminal(world.request({ launch: undefined }))).toEqual({ status: 'nothing-to-supervise' });
  });

  it('stores no secret that it was started with', async () => {
    const world = await openWorld();
    const secret = `sk-ant-api03-${randomUUID()}${randomUUID()}`;
    const { place } = world.request();
    const terminal = await world.supervise({
      place: { ...place, env: { ...place.env, ANTHROPIC_API_KEY: secret } },
      launch: { userArgs: ['--key', secret] },
    });
    await world.until('idle', isIdle(terminal));
    const events = JSON.stringify(await world.store.log.read());
    expect(events).toContain('ANTHROPIC_API_KEY');
    expect(events).not.toContain(secret);
    await terminal.close();
    const next = await world.supervise({ launch: undefined });
    expect(await next.renew()).toEqual({ status: 'refused', reason: 'arguments held a secret' });
    expect(world.running()).toHaveLength(1);
  });
});
