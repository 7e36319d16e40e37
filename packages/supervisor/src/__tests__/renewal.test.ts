import { describe, expect, it } from 'vitest';
import { IMPATIENT_TYPING, isIdle, openWorld } from './world.js';

describe('a terminal that is renewed', () => {
  it('[H4] [H18] gets a fresh agent with the same options, the base prompt and the latest handoff once', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser @write parser.ts');

    expect(await terminal.renew()).toMatchObject({ status: 'renewed', refreshCount: 1 });
    expect(await terminal.renew()).toMatchObject({ status: 'renewed', refreshCount: 2 });

    const [first, second, third] = world.starts();
    expect(world.starts()).toHaveLength(3);
    expect(world.running()).toEqual([third]);
    expect(second?.args).toEqual(expect.arrayContaining(['--theirs', 'kept']));
    expect(first?.system).toBe('BASE PROMPT');
    for (const start of [second, third]) {
      expect(start?.system.split('BASE PROMPT')).toHaveLength(2);
      expect(start?.system.split('# Handoff')).toHaveLength(2);
      expect(start?.system).toContain('Write the parser @write parser.ts');
    }
    expect(terminal.status()).toMatchObject({ contextRefreshCount: 2, contextRefreshState: null, renewal: 'idle' });
  });

  it('is renewed at the firm mark as often as renewal.most says, and again when a step has ended [H15]', {
    tags: 'long',
  }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { mostRenewals: 2 } });
    const renewed = (times: number) =>
      world.until(`renewed ${times} times`, () => terminal.status().contextRefreshCount === times);
    for (const times of [1, 2]) {
      await world.until('idle', isIdle(terminal));
      await terminal.send(`Fill it, round ${times} @usage 70000`);
      await renewed(times);
    }
    await world.until('idle', isIdle(terminal));
    await terminal.send('Fill it once more @usage 70000');
    await world.until('left to the agent', () => world.notices.some(({ kind }) => kind === 'left-to-agent'));
    expect(world.notices).toContainEqual({
      kind: 'left-to-agent',
      why: 'renewed 2 times in a row without finishing a step or task',
    });
    expect(world.starts()).toHaveLength(3);
    expect(terminal.status().leftToAgent).toBe('renewed 2 times in a row without finishing a step or task');

    terminal.boundary();
    await renewed(3);
    expect(terminal.status().leftToAgent).toBeUndefined();
  });

  it('hands over what the queue blocks, and the fresh agent is told what was finished last', {
    tags: 'long',
  }, async () => {
    const world = await openWorld();
    await world.store.tasks.add(['deploy', 'setup'].map((id) => ({ id, intent: `Do ${id}` })));
    const held = async (id: string) => {
      const claim = await world.store.tasks.claim({ by: 'test', leaseMs: 60_000, id });
      if (claim.status !== 'claimed') throw new Error(claim.status);
      return { id, fence: claim.fence };
    };
    await world.store.tasks.complete({ ...(await held('setup')), result: 'It is set up.' });
    await world.store.tasks.block({ ...(await held('deploy')), reason: 'no key' });
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser');
    expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
    const fresh = world.starts().at(-1);
    expect(fresh?.system).toContain('Blocked in the queue: deploy (Do deploy): no key');
    await world.until('told', () => world.prompts().some((text) => text.startsWith('[devs] Continue the work')));
    const told = world.prompts().find((text) => text.startsWith('[devs] Continue the work')) ?? '';
    expect(told.split('## READ-ONLY CONTEXT')).toHaveLength(2);
    expect(told).toContain('"result": "It is set up."');
    expect(told).toContain('"task_id": "deploy"');
  });

  it('does not count the renewals that a person asked for', { tags: 'long' }, async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { mostRenewals: 1 } });
    for (const _ of [1, 2, 3]) {
      await world.until('idle', isIdle(terminal));
      expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
    }
    await world.until('idle', isIdle(terminal));
    await terminal.send('Fill it @usage 70000');
    await world.until('renewed by itself', () => terminal.status().contextRefreshCount === 4);
  });

  it('[H8] takes no word on its screen for pressure', async () => {
    const world = await openWorld({ behaviour: 'mentions' });
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    for (const text of ['one', 'two', 'three']) await world.say(terminal, text);
    await world.until('idle', isIdle(terminal));
    expect(terminal.status()).toMatchObject({ contextRefreshCount: 0, mark: 'low' });
    expect(world.starts()).toHaveLength(1);
  });

  it.each(['answers', 'slow', 'exits-in-handoff', 'swallows-enter', 'floods'])(
    '[H1] [H2] [H3] asks an agent (%s) for its own words, and takes them whole',
    { tags: 'long' },
    async (behaviour) => {
      const world = await openWorld({ behaviour });
      const typing = behaviour === 'swallows-enter' ? IMPATIENT_TYPING : world.request().typing;
      const terminal = await world.supervise({ ownWords: 'always', ...(typing === undefined ? {} : { typing }) });
      await world.until('idle', isIdle(terminal));
      await world.say(terminal, 'Write the parser');
      expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
      const types = (await world.store.log.read({ stream: 'terminal:parser' })).map(({ type, data }) => ({
        type,
        data,
      }));
      expect(types.find(({ type }) => type === 'handoff.received')?.data).toMatchObject({
        // Of an agent that has exited, what its screen shows may be there first.
        source: behaviour === 'exits-in-handoff' ? expect.stringMatching(/^(?:transcript|screen)$/) : 'transcript',
        text: '### Goal\nFinish the parser.\n\n### Next\nWrite the tests.',
      });
      expect(world.starts().at(-1)?.system).toContain('Write the tests.');
      expect(world.starts().at(-1)?.system).not.toContain('handoff request');
      expect(world.running()).toHaveLength(1);
    },
  );

  it.each([
    ['crashes-in-handoff', 'exited'],
    ['never-answers', 'timeout'],
  ])('[H3] continues without the words of an agent that %s', { tags: 'long' }, async (behaviour, reason) => {
    const world = await openWorld({ behaviour });
    const began = Date.now();
    // A minute of this clock takes a second.
    const clock = { now: () => began + (Date.now() - began) * 60 };
    const terminal = await world.supervise({
      ownWords: 'always',
      clock,
      timing: {
        graceMs: 500,
        confirmMs: 300_000,
        considerMs: 100,
        leaseMs: 600_000,
        pollMs: 10,
        cacheMs: 1e9,
        attendedMs: 0,
      },
    });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser');
    expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
    const events = await world.store.log.read({ stream: 'terminal:parser' });
    expect(events.find(({ type }) => type === 'handoff.missed')?.data).toEqual({ reason });
    expect(world.starts().at(-1)?.system).toContain('Write the parser');
    expect(world.running()).toHaveLength(1);
  });

  it('[H11] takes everything with it that the old agent had started, and says what', async () => {
    const world = await openWorld({ behaviour: 'forks ignores-sigterm' });
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser');
    await terminal.renew();
    expect(world.running()).toHaveLength(1);
    const completed = world.notices.find(({ kind }) => kind === 'renewal-completed');
    expect(completed).toMatchObject({ alsoEnded: [expect.stringContaining('node')] });
  });

  it('reads a handoff that was written through the tool before any other', { tags: 'long' }, async () => {
    const world = await openWorld({ behaviour: 'slow' });
    const terminal = await world.supervise({ ownWords: 'always', handoffStream: 'worktree:x' });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser');
    const renewing = terminal.renew();
    await world.until('asked', () => terminal.status().contextRefreshState === 'requesting-handoff');
    await world.store.log.append('worktree:x', 0, [{ type: 'handoff.written', data: { text: 'By the tool: go on.' } }]);
    await renewing;
    const events = await world.store.log.read({ stream: 'terminal:parser' });
    expect(events.find(({ type }) => type === 'handoff.received')?.data).toEqual({
      source: 'tool',
      text: 'By the tool: go on.',
    });
  });

  it('goes back to the conversation before it, when it is undone', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser');
    await terminal.renew();
    const [first] = world.starts();
    expect(terminal.status().isReplacing).toBe(false);
    const undoing = terminal.undoRenewal();
    await world.until('said to be replaced', () => terminal.status().isReplacing);
    expect(await undoing).toEqual({ status: 'undone', conversationId: first?.conversation });
    await world.until('idle', isIdle(terminal));
    expect(terminal.status().isReplacing).toBe(false);
    expect(world.starts().at(-1)).toMatchObject({
      conversation: first?.conversation,
      resumed: true,
      system: 'BASE PROMPT',
    });
    expect(world.running()).toHaveLength(1);
    expect(await terminal.undoRenewal()).toMatchObject({ status: 'refused' });
  });

  it('[H7] [H10] gives its task back once when no new agent can be started', { tags: 'long' }, async () => {
    const world = await openWorld();
    await world.store.tasks.add([{ id: 'T1', intent: 'Write the parser' }]);
    const claim = await world.store.tasks.claim({ by: 'test', leaseMs: 60_000, id: 'T1' });
    if (claim.status !== 'claimed') throw new Error(claim.status);
    const { fixtureDriver: driver } = await import('../testing/fixture-driver.js');
    const broken: typeof driver = {
      ...driver,
      launch: async (request) => {
        const plan = await driver.launch(request);
        return request.conversation.kind === 'fresh' ? { ...plan, command: '/no/such/program' } : plan;
      },
    };
    const terminal = await world.supervise({ driver: broken, task: { id: 'T1', fence: claim.fence } });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser');
    expect(await terminal.renew()).toMatchObject({ status: 'failed' });
    expect((await world.store.tasks.get('T1'))?.status).toBe('pending');
    expect(world.running()).toEqual([]);
    await world.until('told', () => terminal.status().needs?.kind === 'escalation');
  });
});
