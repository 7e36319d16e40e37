import { describe, expect, it } from 'vitest';
import type { SupervisedTerminal } from '../supervised-terminal.js';
import { isIdle, openWorld, type World } from './world.js';

const LEFT = { kind: 'left-to-agent', why: 'its user went back to this conversation' };
/** It was considered, and not renewed. */
const untilLeft = (world: World, times: number) =>
  world.until('left', () => world.notices.filter(({ kind }) => kind === LEFT.kind).length === times);

async function say(world: World, terminal: SupervisedTerminal, text: string): Promise<void> {
  await world.until(text, async () => isIdle(terminal)() && (await terminal.send(text)).kind === 'delivered');
}

describe('a user who went back to the conversation before', () => {
  it('keeps it, however full it is, until they say something in it', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await say(world, terminal, 'Fill it @usage 70000');
    await world.until('renewed', () => terminal.status().contextRefreshCount === 1);
    await world.until('idle', isIdle(terminal));
    await say(world, terminal, 'work @write done.ts');
    await world.until('idle', isIdle(terminal));
    const [first] = world.starts();
    expect(await terminal.undoRenewal()).toEqual({ status: 'undone', conversationId: first?.conversation });
    await world.until('full again', () => terminal.status().usage?.usedTokens === 70_000);
    await untilLeft(world, 1);
    expect(terminal.status()).toMatchObject({ contextRefreshCount: 1, conversationId: first?.conversation });
    expect(world.notices).toContainEqual(LEFT);
    // Also the next supervisor knows.
    await terminal.close();
    const next = await world.supervise({ launch: undefined });
    await world.until('full here', () => next.status().usage?.usedTokens === 70_000);
    await untilLeft(world, 2);
    expect(next.status().contextRefreshCount).toBe(1);
    await say(world, next, 'Go on then @usage 70000 @write more.ts');
    await world.until('renewed', () => next.status().contextRefreshCount === 2);
  });

  it('goes back one more each time, and never forward', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { renewal: false } });
    await world.until('idle', isIdle(terminal));
    for (const word of ['one', 'two']) {
      await say(world, terminal, `${word} @write ${word}.ts`);
      await world.until('idle', isIdle(terminal));
      expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
      await world.until('idle', isIdle(terminal));
    }
    const [first, second] = world.starts().map(({ conversation }) => conversation);
    expect(await terminal.undoRenewal()).toEqual({ status: 'undone', conversationId: second });
    await world.until('idle', isIdle(terminal));
    expect(await terminal.undoRenewal()).toEqual({ status: 'undone', conversationId: first });
    await world.until('idle', isIdle(terminal));
    expect(await terminal.undoRenewal()).toMatchObject({ status: 'refused' });
    expect(world.running()).toHaveLength(1);
  });
});
