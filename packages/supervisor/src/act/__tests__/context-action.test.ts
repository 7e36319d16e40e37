import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isIdle, openWorld, TIMING, type World } from '../../__tests__/world.js';

const compactionsIn = ({ folder }: World): number => {
  const home = join(folder, 'home');
  const transcripts = readdirSync(home).filter((name) => name.endsWith('.jsonl'));
  const all = transcripts.map((name) => readFileSync(join(home, name), 'utf8')).join('');
  return all.split('"compact_boundary"').length - 1;
};

const settledIn = async ({ store }: World): Promise<readonly unknown[]> =>
  (await store.log.read({ stream: 'terminal:parser', limit: 1_000 }))
    .filter(({ type }) => type === 'context-action.settled')
    .map(({ data }) => data.outcome);

describe('a context action', () => {
  it('stops waiting when the agent has died', async () => {
    const world = await openWorld({ behaviour: 'dies-at-compact' });
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await world.say(terminal, 'Write the parser');
    expect(await terminal.contextAction('compact')).toEqual({
      kind: 'abandoned',
      reason: 'the agent ended meanwhile',
    });
  });

  it.each(['compact', 'clear'] as const)(
    'is looked for in the records before /%s is done again by the next supervisor',
    async (action) => {
      const world = await openWorld();
      const policy = { ledgerAfterCompaction: false };
      const first = await world.supervise({ policy });
      await world.until('idle', isIdle(first));
      await world.say(first, 'Write the parser');
      await first.contextAction(action);
      await world.until('idle', isIdle(first));
      const { conversationId } = first.status();
      await first.close();
      const events = await world.store.log.read({ stream: 'terminal:parser', limit: 1_000 });
      const performed = events.filter(({ type }) => type === 'context-action.performed');
      // As if the first had died after it had typed the command, and the next had come long after.
      const again = performed.map(({ type, data }) => ({ type, data }));
      await world.store.log.append('terminal:parser', events.at(-1)?.version ?? 0, again);
      const second = await world.supervise({ policy, timing: { ...TIMING, actionMs: 1 } });
      await world.until('settled', async () => (await settledIn(world)).length === 2);
      expect(await settledIn(world)).toEqual(['acknowledged by command', 'acknowledged by command']);
      await world.until('idle', isIdle(second));
      expect(second.status().conversationId).toBe(conversationId);
      expect(compactionsIn(world)).toBe(action === 'compact' ? 1 : 0);
      expect(world.starts()).toHaveLength(1);
    },
  );
});
