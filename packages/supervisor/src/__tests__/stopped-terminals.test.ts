import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { JsonObject } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { superviseTerminal } from '../supervise-terminal.js';
import { isIdle, openWorld, type World } from './world.js';

const STREAM = 'terminal:parser';

/** What a supervisor stored before it was killed. */
async function store({ store: { log } }: World, ...events: readonly (JsonObject & { readonly type: string })[]) {
  for (const { type, ...data } of events) {
    const version = (await log.read({ stream: STREAM })).at(-1)?.version ?? 0;
    expect((await log.append(STREAM, version, [{ type, data }])).status).toBe('appended');
  }
}

async function leftInRenewal(world: World, phase: string) {
  const first = await world.supervise();
  await world.until('idle', isIdle(first));
  await world.say(first, 'one');
  const oldAgentId = first.status().agentId ?? '';
  await first.close();
  const started = {
    cause: 'firm mark',
    oldAgentId,
    newAgentId: randomUUID(),
    ask: phase === 'requesting',
    at: Date.now(),
  };
  await store(world, { type: 'renewal.started', ...started });
  if (phase === 'ending')
    await store(
      world,
      { type: 'document.verified', document: '# Handoff\nOF YESTERDAY', added: [] },
      { type: 'checkpoint.skipped', reason: 'no repository' },
    );
}

const takeUp = async (world: World) => {
  const { launch: _, ...request } = world.request({ policy: { observeOnly: true } });
  return superviseTerminal(request);
};

describe('a terminal that was stopped', () => {
  it('leaves nothing of what its agent was told by file, such as a password', async () => {
    const world = await openWorld();
    const { launch } = world.request();
    const terminal = await world.supervise({ launch: { ...launch, userArgs: [], systemPrompt: 'BASE PROMPT' } });
    await world.until('idle', isIdle(terminal));
    const { privateFolder } = world.request();
    expect(existsSync(privateFolder)).toBe(true);
    await terminal.stop();
    expect(existsSync(privateFolder)).toBe(false);
  });

  it.each(['documenting', 'ending'])(
    '[H17] in the middle of a renewal (%s): the agent that its user starts next is left alone',
    async (phase) => {
      const world = await openWorld();
      await leftInRenewal(world, phase);
      await store(world, { type: 'terminal.stopped' });
      for (const { pid } of world.running()) process.kill(pid, 'SIGKILL');
      await world.until('gone', () => world.running().length === 0);
      const again = await world.supervise({ attended: true, launch: { userArgs: ['--mine'] } });
      await world.until('idle', isIdle(again));
      await world.say(again, 'Mine');
      expect(world.starts()).toHaveLength(2);
      expect(world.running()).toMatchObject([{ system: '', args: expect.arrayContaining(['--mine']) }]);
      expect(again.status()).toMatchObject({ renewal: 'idle', contextRefreshCount: 0 });
    },
  );

  it.each(['requesting', 'documenting', 'ending'])(
    'after its supervisor was killed in a renewal (%s), is ended without finishing it first',
    async (phase) => {
      const world = await openWorld({ behaviour: 'never-answers' });
      await leftInRenewal(world, phase);
      const outcome = await takeUp(world);
      if (outcome.status !== 'supervised') throw new Error(outcome.status);
      await outcome.terminal.stop();
      await outcome.terminal.close();
      expect(world.running()).toEqual([]);
      expect(world.leftovers()).toEqual([]);
      const types = (await world.store.log.read({ stream: STREAM })).map(({ type }) => type);
      expect(types.filter((type) => type.startsWith('takeover.') || type === 'handoff.missed')).toEqual([]);
    },
  );

  it('[H11] is ended by the next supervisor if the previous one was killed before it had ended the agent', async () => {
    const world = await openWorld({ behaviour: 'forks ignores-sigterm' });
    const first = await world.supervise();
    await world.until('idle', isIdle(first));
    await first.close();
    await store(world, { type: 'terminal.stopped' });
    expect(await takeUp(world)).toEqual({ status: 'nothing-to-supervise' });
    expect(world.leftovers()).toEqual([]);
  });

  it('[H7] is started anew, and not taken for what was started and never recorded', async () => {
    const world = await openWorld();
    const first = await world.supervise();
    await world.until('idle', isIdle(first));
    const [{ agentId = '' }] = [first.status()];
    await first.close();
    // As if the running agent had been started after the old one was cleared, and before it was recorded.
    await store(
      world,
      { type: 'agent.exited', agentId, exit: { kind: 'ended' } },
      { type: 'agent.cleared', agentId, alsoEnded: [] },
      { type: 'terminal.stopped' },
    );
    const again = await world.supervise({ launch: { userArgs: ['--mine'] } });
    await world.until('idle', isIdle(again));
    expect(world.running()).toMatchObject([{ args: expect.arrayContaining(['--mine']) }]);
    expect(world.starts()).toHaveLength(2);
  });
});
