import { describe, expect, it } from 'vitest';
import { CONTINUE_LEAD, GO_ON_PROMPT, RESUME_PROMPT } from '../../run/own-prompts.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { BOUNDS } from '../ledger/bounds.js';
import { worthOf } from '../ledger/mentions.js';
import { asked, edited, eventsOf, ran, read, said, shopTranscript, type Told } from './transcript.js';

describe('the ledger of a conversation', () => {
  it('knows what was asked, changed, run and left open', () => {
    const ledger = ledgerOf(shopTranscript());

    expect(ledger.requests.map(({ text }) => text)).toEqual([
      'The totals are wrong when a voucher is used. Never touch the generated files.',
      'Also look at the invoice page,\nit shows the same number.',
    ]);
    expect([...ledger.files.values()]).toMatchObject([{ path: 'src/cart/add-up.ts', changes: 1, reads: 1 }]);
    expect([...ledger.commands.keys()]).toEqual(['npm test -- add-up', 'git status --short']);
    expect(ledger.troubles).toMatchObject([{ key: 'npm test -- add-up', resolved: false }]);
    expect([...ledger.tasks.values()].map(({ status }) => status)).toEqual(['in_progress', 'pending', 'completed']);
  });

  it('takes no prompt of devs for a wish of the user', () => {
    const own = [`${CONTINUE_LEAD}\nYour supervisor has seen to \`/compact\`.`, RESUME_PROMPT, GO_ON_PROMPT];
    const ledger = ledgerOf(eventsOf(asked('Fix the totals.'), ...own.map(asked)));
    expect(ledger.requests.map(({ text }) => text)).toEqual(['Fix the totals.']);
  });

  it('takes an error for resolved when the same command succeeds later', () => {
    const ledger = ledgerOf(eventsOf(ran('npm test', 'boom', 'failed'), ran('npm test', 'ok')));
    expect(ledger.troubles).toMatchObject([{ resolved: true }]);
  });

  it('forgets everything but the place when the agent was cleared', () => {
    const ledger = ledgerOf([...shopTranscript(), ...eventsOf({ type: 'context.cleared' })]);
    expect(ledger).toMatchObject({ requests: [], notes: [], step: 0, place: { branch: 'fix-totals' } });
    expect(ledger.files.size).toBe(0);
  });

  it('keeps a task that is still open when its number is used again', () => {
    const ledger = ledgerOf(
      eventsOf(
        { type: 'task.changed', taskId: '1', title: 'Old', status: 'pending' },
        { type: 'task.changed', taskId: '1', title: 'New', status: 'pending' },
      ),
    );
    expect([...ledger.tasks.values()].map(({ title }) => title)).toEqual(['Old', 'New']);
  });

  it('does not take what a sub-agent was told or said for the words of the user or the agent', () => {
    const events = eventsOf(asked('search'), said('found')).map((event) => ({
      ...event,
      from: { ...event.from, subAgent: 'a1' },
    }));
    expect(ledgerOf(events)).toMatchObject({ requests: [], notes: [] });
  });

  it('stays bounded however long the conversation is', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => [
      asked(`request ${index}`),
      said(`note ${index}`),
      ...read(`src/file-${index}.ts`),
      ...ran(`npm run job-${index}`, 'error: no', 'failed'),
    ]);
    const ledger = ledgerOf(eventsOf(...many));
    expect(ledger.requests).toHaveLength(BOUNDS.requests);
    expect(ledger.notes).toHaveLength(BOUNDS.notes);
    expect(ledger.files.size).toBe(BOUNDS.files);
    expect(ledger.commands.size).toBe(BOUNDS.commands);
    expect(ledger.troubles).toHaveLength(BOUNDS.troubles);
  });

  it('holds a name to be likelier the more recently, the more often and the more actively it was used', () => {
    const worth = (name: string, ...facts: readonly Told[]) => {
      const ledger = ledgerOf(eventsOf(...facts));
      const mention = ledger.mentions.get(name);
      return mention === undefined ? 0 : worthOf(mention, ledger.step);
    };
    const later = Array.from({ length: 30 }, () => said('something else'));
    const once = worth('src/a.ts', edited('src/a.ts'));
    expect(worth('src/a.ts', edited('src/a.ts'), ...later)).toBeLessThan(once);
    expect(worth('src/a.ts', edited('src/a.ts'), edited('src/a.ts'))).toBeGreaterThan(once);
    expect(worth('src/a.ts', ran('ls', 'src/a.ts'))).toBeLessThan(once);
  });
});
