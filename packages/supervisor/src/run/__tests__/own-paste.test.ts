import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AFTER_LIMIT_PROMPT } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { IMPATIENT_TYPING, isIdle, openWorld } from '../../__tests__/world.js';
import { IMPATIENT, openRunWorld } from './run-world.js';

describe('what devs types itself', () => {
  it('[R3] waits until the agent has taken the prompt that it was started with', async () => {
    const here = await openRunWorld({ behaviour: 'takes-prompt-late' });
    const timing = { ...here.parts.timing, unaskedMs: 100, confirmMs: 60_000 };
    const run = await here.start([{ id: 'only', instructions: '@write a.txt' }], { timing });
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const told = await here.world.store.log.read({ stream: `terminal:${run.id}`, limit: 1_000 });
    expect(told.filter(({ type }) => type === 'prompt.intended')).toEqual([]);
    expect(here.world.prompts()).toHaveLength(1);
  });

  it('[R3] is sent where it was left in the input, and is not taken for a draft of the user', async () => {
    const world = await openWorld({ behaviour: 'swallows-enter' });
    const terminal = await world.supervise({ typing: { ...IMPATIENT_TYPING, retries: 0 } });
    await world.until('its prompt', isIdle(terminal));
    const outcome = await terminal.send('Write the parser');
    expect(outcome).toMatchObject({ kind: 'unconfirmed', reason: 'not-confirmed' });
    expect(terminal.status().isAttended).toBe(false);
    await world.until('the prompt in the transcript', () => world.prompts().includes('Write the parser'));
    expect(world.prompts()).toEqual(['Write the parser']);
  });

  it('[R3] is known to the next supervisor, which sends it', async () => {
    const world = await openWorld();
    const behaviour = join(world.folder, 'home', 'behaviour');
    const first = await world.supervise({ typing: { ...IMPATIENT_TYPING, retries: 0 } });
    writeFileSync(behaviour, 'ignores-enter-at-limit');
    await world.until('its prompt', isIdle(first));
    await first.send('@limit 100');
    await world.until('a prompt in the input', () => existsSync(join(world.folder, 'home', 'ignored.log')));
    await first.close();
    rmSync(behaviour);
    const second = await world.supervise();
    expect(second.status().isAttended).toBe(false);
    await world.until('the prompt in the transcript', () => world.prompts().includes(AFTER_LIMIT_PROMPT));
    expect(world.prompts().filter((text) => text === AFTER_LIMIT_PROMPT)).toHaveLength(1);
  });

  it('[R3] [H23] is not held up in silence by a draft of the user: they are asked', async () => {
    const here = await openRunWorld({ timing: IMPATIENT });
    const run = await here.start([{ id: 'only', instructions: '@idle-once @write a.txt' }]);
    const host = await here.parts.openHost();
    await here.world.until('a terminal', async () => (await host.list()).length > 0);
    const [hosted] = await host.list();
    if (hosted === undefined) throw new Error('no terminal');
    await host.write(hosted, 'half a thou');
    await here.world.until('a question', () => run.status().escalation !== undefined);
    expect(run.status().escalation?.question).toBe('Unsent text is in the input box of the agent.');
    expect(here.world.prompts()).toHaveLength(1);
    const told = await here.world.store.log.read({ stream: `terminal:${run.id}`, limit: 1_000 });
    const texts = told.filter(({ type }) => type === 'prompt.intended').map(({ data }) => data.text);
    expect(new Set(texts).size).toBe(texts.length); // what is tried again is not stored again
    await host.write(hosted, 'ght\r');
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.prompts()).toContain('half a thought');
    host.close();
  });
});
