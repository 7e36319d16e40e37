import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESUME_PROMPT } from '@devs/core';
import { describe, expect, it } from 'vitest';
import type { SupervisedTerminal } from '../supervised-terminal.js';
import { IMPATIENT_TYPING, isIdle, openWorld, TIMING, type World } from './world.js';

const told = ({ notices }: World, wanted: string) => notices.some(({ kind }) => kind === wanted);
const killAgent = (world: World) => {
  for (const { pid } of world.running()) process.kill(pid, 'SIGKILL');
};
const behave = ({ folder }: World, words: string) => writeFileSync(join(folder, 'home', 'behaviour'), words);
/** As typed by an attached user. */
async function type(world: World, terminal: SupervisedTerminal, text: string): Promise<void> {
  const host = await world.request().openHost();
  const [hosted] = await host.list();
  if (hosted === undefined) throw new Error('no terminal');
  terminal.user({ attached: true, typed: true });
  for (const keys of [text, '\r']) await host.write(hosted, keys);
  host.close();
}

describe('an agent that ends', () => {
  it('[H19] soon after its user has left is resumed when they have been away long enough', async () => {
    const world = await openWorld();
    const timing = { ...TIMING, attendedMs: 1_500 };
    const terminal = await world.supervise({ attended: true, timing, policy: { resumeMs: 10 } });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Think @wait 60000');
    await world.until('busy', () => terminal.status().state?.activity === 'busy');
    terminal.user({ attached: false });
    killAgent(world);
    await world.until('its end', () => terminal.status().exitCode !== undefined);
    expect(told(world, 'done')).toBe(false);
    await world.until('resumed', () => told(world, 'resumed'));
    expect(told(world, 'done')).toBe(false);
  });

  it('[H19] while it is parked is resumed, and not waited for', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { resumeMs: 10 } });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Too much @limit 3600000');
    await world.until('parked', () => terminal.status().parkedUntil !== undefined);
    killAgent(world);
    await world.until('resumed', () => told(world, 'resumed'));
    await world.until('idle', isIdle(terminal));
    expect(world.running()).toHaveLength(1);
  });

  it.each([
    ['idle', 'Begin', 0],
    ['at work', 'Think @wait 60000', 1],
  ])('with its host while it was %s is told that it was interrupted only if it was', async (state, text, times) => {
    const world = await openWorld();
    const terminal = await world.supervise({ policy: { resumeMs: 10 } });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'one');
    await terminal.send(text);
    await world.until(state, () => terminal.status().state?.activity === (times === 0 ? 'idle' : 'busy'));
    if (times === 0) await world.until('seen', () => terminal.status().usage?.usedTokens === 1_200);
    const host = await world.request().openHost();
    process.kill(host.pid, 'SIGKILL');
    host.close();
    await world.until('resumed', () => told(world, 'resumed'));
    await world.until('idle again', isIdle(terminal));
    await world.until('told', () => world.prompts().filter((prompt) => prompt === RESUME_PROMPT).length >= times);
    // It comes after all that devs says by itself.
    await world.until('heard', async () => (await terminal.send('And now?')).kind === 'delivered');
    expect(world.prompts().filter((prompt) => prompt === RESUME_PROMPT)).toHaveLength(times);
  });
});

describe('what needs its user', () => {
  it('is settled when they attach and give the agent something to do', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await terminal.send('Ask them @error no-credit');
    await world.until('escalated', () => told(world, 'escalated'));
    expect(terminal.status().needs).toEqual({
      kind: 'escalation',
      detail: expect.stringMatching(/^its turn ended with an error: no-credit\. .*add credit/),
    });
    await type(world, terminal, 'I paid, go on');
    await world.until('settled', () => terminal.status().needs === undefined);
    terminal.user({ attached: false });
    expect(world.notices.filter(({ kind }) => kind === 'escalated')).toHaveLength(1);
  });

  it('stays if an agent crashed and got no prompt since', async () => {
    const world = await openWorld();
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await terminal.send('Ask them @error no-credit');
    await world.until('escalated', () => told(world, 'escalated'));
    await terminal.close();
    const next = await world.supervise({ launch: undefined });
    await world.until('idle', isIdle(next));
    expect(next.status().needs).toMatchObject({ kind: 'escalation' });
    expect(await next.send('Go on')).toMatchObject({ kind: 'delivered' });
    expect(next.status().needs).toBeUndefined();
  });
});

describe('a renewed agent that does not take up the work', () => {
  it('is told to be so: its first turn ended with an error', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({ ownWords: 'never' });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser @write parser.ts');
    behave(world, 'refused');
    expect(await terminal.renew()).toMatchObject({
      status: 'renewed',
      missed: 'its turn ended with an error: refused',
    });
    await world.until('escalated', () => told(world, 'escalated'));
    expect(world.notices).toContainEqual(
      expect.objectContaining({ kind: 'renewal-completed', missed: expect.stringContaining('refused') }),
    );
    expect(world.starts()).toHaveLength(2);
  });

  it('is told to be so, and its user is asked: it stands there and does nothing', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({
      ownWords: 'never',
      timing: { ...TIMING, confirmMs: 1_200 },
      typing: IMPATIENT_TYPING,
    });
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser @write parser.ts');
    behave(world, 'deaf');
    expect(await terminal.renew()).toMatchObject({ status: 'renewed', missed: 'it did not begin to work' });
    expect(terminal.status().needs).toMatchObject({ kind: 'escalation' });
  });
});
