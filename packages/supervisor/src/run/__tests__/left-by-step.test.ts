import { describe, expect, it } from 'vitest';
import { openRunWorld } from './run-world.js';

describe('an agent that is killed between its commit and the advance', () => {
  it('is followed by an agent that learns of the commit, and not of earlier steps', async () => {
    const here = await openRunWorld({ git: true });
    const run = await here.start([
      { id: 'one', instructions: '@write one.txt @commit' },
      { id: 'two', instructions: '@wait 1500' },
      { id: 'three', instructions: '@write three.txt @commit @die-committed' },
    ]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const told = here.world.prompts().filter((prompt) => prompt.startsWith('[devs] You were interrupted.'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/commit [0-9a-f]{10} Step 3/);
    expect(told[0]).not.toContain('Step 1');
  });
});
