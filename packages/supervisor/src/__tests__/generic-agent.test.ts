import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { genericAgent } from '@devs/core';
import { createGenericDriver } from '@devs/drivers';
import { describe, expect, it } from 'vitest';
import { isIdle, openWorld } from './world.js';

const AGENT = fileURLToPath(new URL('../../fixtures/agent.mjs', import.meta.url));
const driver = createGenericDriver(
  genericAgent('small', {
    command: [process.execPath, AGENT],
    prompt: '^> ',
    busy: '^Working…',
    waiting: '^❯ 1\\. ',
    conversation: ['--conversation', '{id}'],
  }),
  { clock: Date },
);

describe('an agent known only by its screen', () => {
  it('is asked for its handoff, which is read from its screen, and the next one is told to read it from a file', async () => {
    const world = await openWorld({ behaviour: 'slow' });
    const terminal = await world.supervise({
      driver,
      sources: [],
      launch: { userArgs: [], systemPrompt: 'BASE PROMPT' },
    });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Write the parser');
    await world.until('idle', isIdle(terminal));
    expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
    const events = await world.store.log.read({ stream: 'terminal:parser' });
    expect(events.find(({ type }) => type === 'handoff.received')?.data).toMatchObject({
      source: 'screen',
      text: expect.stringContaining('Write the tests.'),
    });
    const handoff = readFileSync(join(world.folder, 'private', 'handoff.md'), 'utf8');
    expect(handoff).toContain('BASE PROMPT');
    expect(handoff).toContain('Write the tests.');
    await world.until('told to read it', () =>
      world.prompts().some((text) => text.endsWith('handoff.md and do what it says.')),
    );
    expect(world.starts()).toHaveLength(2);
    expect(world.running()).toHaveLength(1);
  });

  it('is renewed when it crashed, since its conversation cannot be opened again', async () => {
    const world = await openWorld();
    const terminal = await world.supervise({
      driver,
      sources: [],
      launch: { userArgs: [] },
      policy: { resumeMs: 10 },
      hasWorkLeft: () => true,
    });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Fall over @wait 100 @crash');
    await world.until('renewed', () => terminal.status().contextRefreshCount === 1);
    expect(world.starts()).toHaveLength(2);
    expect(world.running()).toHaveLength(1);
  });
});
