import { describe, expect, it } from 'vitest';
import type { SupervisedTerminal } from '../supervised-terminal.js';
import { fixtureDriver } from '../testing/fixture-driver.js';
import { isIdle, openWorld, type World } from './world.js';

async function atWork(world: World): Promise<SupervisedTerminal> {
  const terminal = await world.supervise();
  await world.until('idle', isIdle(terminal));
  await terminal.send('Think @wait 600000');
  await world.until('busy', () => terminal.status().state?.activity === 'busy');
  return terminal;
}

describe('an interrupt', () => {
  it('by a key ends the turn, is seen in the agent’s record, and the agent gets the words instead', async () => {
    const world = await openWorld();
    const terminal = await atWork(world);
    expect(await terminal.interrupt('Do this instead')).toMatchObject({ kind: 'seen', told: { kind: 'delivered' } });
    await world.until('told', () => world.prompts().at(-1) === 'Do this instead');
    await world.until('idle', isIdle(terminal));
    expect(world.starts()).toHaveLength(1);
  });

  it('of an agent that does nothing says so, and types no key', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    expect(await terminal.interrupt()).toEqual({ kind: 'idle' });
  });

  it('is not claimed where devs knows no key, and the words are kept back', async () => {
    const world = await openWorld();
    const { interruptKeys: _, ...driver } = fixtureDriver;
    const terminal = await world.supervise({ driver });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Think @wait 600000');
    await world.until('busy', () => terminal.status().state?.activity === 'busy');
    expect(await terminal.interrupt('Never said')).toEqual({
      kind: 'not-seen',
      why: 'devs knows no way to interrupt this agent',
    });
    expect(world.prompts()).not.toContain('Never said');
  });

  it('ends a turn that does not end above the firm mark, between two tools, and the agent is renewed', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { interruptMs: 500 } });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Fill it @usage 70000 @write parser.ts @think 600000');
    await world.until('renewed', () => terminal.status().contextRefreshCount === 1);
    const why = 'it has worked for 0 min above the firm mark';
    expect(world.notices.filter(({ kind }) => kind === 'interrupted')).toEqual([{ kind: 'interrupted', why }]);
    const stored = await world.store.log.read({ stream: 'terminal:parser' });
    expect(stored.find(({ type }) => type === 'turn.cut-short')?.data).toEqual({ why });
  });

  it('leaves a turn above the firm mark alone until its time is up', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await terminal.send('Fill it @usage 70000 @write parser.ts @think 1500');
    await world.until('renewed', () => terminal.status().contextRefreshCount === 1);
    expect(world.notices.filter(({ kind }) => kind === 'interrupted')).toEqual([]);
  });
});
