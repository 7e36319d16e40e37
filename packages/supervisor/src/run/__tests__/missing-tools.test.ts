import { describe, expect, it } from 'vitest';
import { IMPATIENT, openRunWorld } from './run-world.js';

const STEPS = [{ id: 'one', instructions: 'Do it @write one.txt' }];

describe('an agent without its workflow tools', () => {
  it('is restarted in its own conversation, with the reason on record, and continues once it has them', async () => {
    const here = await openRunWorld({ timing: IMPATIENT, behaviour: 'no-tools-once' });
    const run = await here.start(STEPS);

    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const [missed] = (await here.events(run.id)).filter(({ type }) => type === 'tools.missed');
    expect(missed?.data.detail).toContain('did not connect');
    const [first, second] = here.world.starts();
    expect(here.world.starts()).toHaveLength(2);
    expect(second).toMatchObject({ resumed: true, conversation: first?.conversation, beside: [] });
    expect(here.world.prompts().at(-1)).toContain('were missing, so you were started again');
  });

  it.each([
    ['no-tools', 'did not connect'],
    ['tools-fail', 'did not start: the store is locked'],
  ])('that never gets them is restarted twice, then ended, and the user is asked (%s)', async (behaviour, cause) => {
    const here = await openRunWorld({ timing: IMPATIENT, behaviour });
    const run = await here.start(STEPS);

    expect(await here.ended(run)).toMatchObject({
      status: 'paused',
      escalation: {
        question: 'The agent has no workflow tools. What should happen?',
        diagnosis: expect.stringContaining(cause),
      },
    });
    expect(await here.count(run.id, 'tools.missed')).toBe(2);
    expect(here.world.starts()).toHaveLength(3);
    expect(here.world.running()).toEqual([]);
  });

  it('is asked about again only after as many restarts, when the user let it continue', async () => {
    const here = await openRunWorld({ timing: IMPATIENT, behaviour: 'tools-fail' });
    const run = await here.start(STEPS);
    await here.ended(run);

    expect(await here.ended(await here.resume(run.id))).toMatchObject({ status: 'paused' });
    expect(await here.count(run.id, 'tools.missed')).toBe(4);
  });
});
