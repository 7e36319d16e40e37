import type { RunListing, Terminal } from '@devs/api';
import type { StoredEvent } from '@devs/core/folds';
import { describe, expect, it } from 'vitest';
import { failedActions } from '../conversation.js';
import { costBySteps } from '../cost-table.js';
import { dialogLine, inboxItems, keysIn, withoutChoices } from '../inbox.js';
import { createProjectFold } from '../project-fold.js';
import { taskViews } from '../task-graph.js';
import { heldTasks, servingMachines } from '../task-reasons.js';
import { append, endSteps, everything, openTestStore, storeRun, tellRun } from './stored-run.js';

const NOTHING_LIVE = { runs: new Map<string, RunListing>(), terminals: [] as readonly Terminal[] };

async function stateOf(opened: ReturnType<typeof openTestStore>) {
  const fold = createProjectFold('/shop');
  const events = await everything(opened);
  fold.add(events, events.length);
  return fold;
}

/** A run that has claimed `cart` and asks something; `till` waits for `cart`, `bank` for `till`. */
async function askingRun() {
  const opened = openTestStore();
  await opened.store.tasks.add([
    { id: 'cart', intent: 'A cart' },
    { id: 'till', intent: 'A till', depends_on: ['cart'] },
    { id: 'bank', intent: 'A bank', depends_on: ['till'] },
    { id: 'score', intent: 'A score', needs: ['gpu'] },
  ]);
  await storeRun(opened, 'asks');
  await opened.store.tasks.claim({ by: 'asks', leaseMs: 60_000, id: 'cart' });
  await tellRun(
    opened,
    'asks',
    { type: 'task.held', taskId: 'cart', fence: 1 },
    { type: 'escalation.raised', escalationId: 'q', question: 'Euro?', diagnosis: '' },
  );
  return opened;
}

describe('why a task waits', () => {
  it('names the question of its run, and what an answer sets free', async () => {
    const { state } = await stateOf(await askingRun());
    const views = taskViews(state.tasks, { held: heldTasks(state, NOTHING_LIVE) });

    expect(views.find(({ id }) => id === 'cart')?.why).toBe('blocked by a question: Euro?');
    expect(inboxItems([state], [])).toMatchObject([{ id: 'q', frees: ['till', 'bank'] }]);
  });

  it('names the label that no machine has', async () => {
    const { state } = await stateOf(await askingRun());
    const machine = { labels: ['arm'], agents: ['claude'] };
    const whyOf = (labels: readonly string[]) =>
      taskViews(state.tasks, { machines: [machine, { labels, agents: [] }] }).find(({ id }) => id === 'score')?.why;

    expect(whyOf([])).toBe('nobody has gpu');
    expect(whyOf(['gpu'])).toBe('may begin');
  });

  it('knows the machines that have not left', async () => {
    const opened = openTestStore();
    const joined = (name: string) => ({ type: 'machine.joined', data: { name, labels: ['gpu'], agents: [] } });
    await append(opened, 'fleet:machines', joined('one'), joined('two'), {
      type: 'machine.left',
      data: { name: 'one' },
    });
    const { events } = await stateOf(opened);

    expect(servingMachines(events as readonly StoredEvent[]).map(({ name }) => name)).toEqual(['two']);
  });
});

describe('a question', () => {
  const DIALOG = 'Its screen shows:\n  Allow npm publish? [y]es / [n]o / [a]lways\nAttach to the terminal.';
  const PERMISSION = 'make deploy\n1. Yes\n2. No\nAnswer with a number, a name, yes or no.';

  it('has the keys that a dialog takes', () => {
    expect(dialogLine(DIALOG)).toBe('Allow npm publish? [y]es / [n]o / [a]lways');
    expect(keysIn(DIALOG).map(({ key, label }) => `${key} ${label}`)).toEqual(['y Yes', 'n No', 'a Always']);
    expect(keysIn('Which of [a] and [b]?')).toEqual([]);
    expect(keysIn('It stopped.\nIts last words:\n> [y]es / [n]o?')).toEqual([]);
  });

  it('leaves out the choices that are buttons', () => {
    expect(withoutChoices(PERMISSION)).toBe('make deploy');
    expect(withoutChoices('1. Only one')).toBe('1. Only one');
  });

  it('has the last actions that failed', () => {
    const call = (callId: string, outcome: 'ok' | 'failed') =>
      [
        { kind: 'call', callId, tool: 'Bash', title: callId, changes: [] },
        { kind: 'result', callId, text: '', outcome },
      ] as const;
    const entries = [...call('a', 'failed'), ...call('b', 'ok'), ...call('c', 'failed'), ...call('d', 'failed')];

    expect(failedActions(entries, 2).map(({ call: { title } }) => title)).toEqual(['c', 'd']);
  });
});

it('adds up what each step of a workflow has used', async () => {
  const opened = openTestStore();
  for (const run of ['one', 'two']) {
    await storeRun(opened, run);
    await endSteps(opened, run, ['planned']);
    await tellRun(opened, run, {
      type: 'usage.counted',
      turns: 2,
      inputTokens: 100,
      outputTokens: 10,
      cachedTokens: 0,
      costUsd: 0.5,
    });
  }
  const { state } = await stateOf(opened);

  expect(costBySteps([state])).toMatchObject([{ step: 'a step', times: 2, turns: 4, tokens: 220, costUsd: 1 }]);
});
