import { describe, expect, it, vi } from 'vitest';
import { ContextRefresher, type RefreshResult, type SummaryProvider } from '../context-refresher.js';

const SUMMARIES = { tasSummary: 'Use ESM.', prdSummary: 'Users resume work.' };
const INJECTED = '[CONTEXT REFRESH]\n## TAS Summary\nUse ESM.\n\n## PRD Summary\nUsers resume work.';
const REFRESHED: RefreshResult = { refreshed: true, injectedSummary: INJECTED };
const NOT_DUE: RefreshResult = { refreshed: false };

const mockProvider = () => ({ getSummary: vi.fn(async () => SUMMARIES) });

describe('counting turns', () => {
  it('[3_MCP-TAS-088] starts with no turn in the node', () => {
    const refresher = new ContextRefresher({ threshold: 5, summaryProvider: mockProvider() });

    expect(refresher['turnsInCurrentNode']).toBe(0);
  });

  it('[3_MCP-TAS-089] refreshes nothing on turns 1 to 4', async () => {
    const refresher = new ContextRefresher({ threshold: 5, summaryProvider: mockProvider() });

    expect(await takeTurns(refresher, 4)).toEqual([NOT_DUE, NOT_DUE, NOT_DUE, NOT_DUE]);
    expect(refresher['turnsInCurrentNode']).toBe(4);
  });

  it('[3_MCP-TAS-089] refreshes exactly on the fifth turn in a node', async () => {
    const refresher = new ContextRefresher({ threshold: 5, summaryProvider: mockProvider() });

    expect(await takeTurns(refresher, 5)).toEqual([NOT_DUE, NOT_DUE, NOT_DUE, NOT_DUE, REFRESHED]);
  });

  it('[3_MCP-TAS-089] sets the count back at once, so that the next refresh comes five turns later', async () => {
    const refresher = new ContextRefresher({ threshold: 5, summaryProvider: mockProvider() });

    await takeTurns(refresher, 5);
    expect(refresher['turnsInCurrentNode']).toBe(0);

    expect((await takeTurns(refresher, 10)).map(({ refreshed }) => refreshed)).toEqual([
      ...[false, false, false, false, true],
      ...[false, false, false, false, true],
    ]);
  });

  it('refreshes after five turns when no threshold is given', async () => {
    const refresher = new ContextRefresher({ summaryProvider: mockProvider() });

    expect((await takeTurns(refresher, 5)).map(({ refreshed }) => refreshed)).toEqual([
      ...[false, false, false, false, true],
    ]);
  });

  it('refreshes on every turn with a threshold of 1', async () => {
    const refresher = new ContextRefresher({ threshold: 1, summaryProvider: mockProvider() });

    expect(await takeTurns(refresher, 3)).toEqual([REFRESHED, REFRESHED, REFRESHED]);
  });

  it('counts calls and not indices, since a node may be entered at any index', async () => {
    const refresher = new ContextRefresher({ threshold: 2, summaryProvider: mockProvider() });

    expect([await refresher.onTurn(41), await refresher.onTurn(7)]).toEqual([NOT_DUE, REFRESHED]);
  });

  it('says how many turns are left', async () => {
    const refresher = new ContextRefresher({ threshold: 3, summaryProvider: mockProvider() });
    const left = [refresher.turnsUntilRefresh];

    for (let turn = 1; turn <= 4; turn++) {
      await refresher.onTurn(turn);
      left.push(refresher.turnsUntilRefresh);
    }

    expect(left).toEqual([3, 2, 1, 3, 2]);
  });
});

describe('the summaries', () => {
  it('are asked for once for each refresh and on no other turn', async () => {
    const summaryProvider = mockProvider();
    const refresher = new ContextRefresher({ threshold: 5, summaryProvider });
    const asked: number[] = [];

    for (let turn = 1; turn <= 10; turn++) {
      await refresher.onTurn(turn);
      asked.push(summaryProvider.getSummary.mock.calls.length);
    }

    expect(asked).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 2]);
  });

  it('are both in the injected text, each under its own heading', async () => {
    const summaryProvider = { getSummary: async () => ({ tasSummary: 'the TAS text', prdSummary: 'the PRD text' }) };

    const { injectedSummary } = await new ContextRefresher({ threshold: 1, summaryProvider }).onTurn(1);

    expect(injectedSummary).toBe('[CONTEXT REFRESH]\n## TAS Summary\nthe TAS text\n\n## PRD Summary\nthe PRD text');
  });

  it('are requested again each time, so that a changed document shows', async () => {
    let version = 0;
    const summaryProvider = { getSummary: async () => ({ tasSummary: `v${++version}`, prdSummary: '' }) };
    const refresher = new ContextRefresher({ threshold: 1, summaryProvider });

    const texts = (await takeTurns(refresher, 2)).map(({ injectedSummary }) => injectedSummary);

    expect(texts).toEqual([expect.stringContaining('\nv1\n'), expect.stringContaining('\nv2\n')]);
  });
});

describe('a provider that fails', () => {
  it('makes the turn reject with its error', async () => {
    const failure = new Error('disk full');
    const refresher = new ContextRefresher({
      threshold: 1,
      summaryProvider: { getSummary: () => Promise.reject(failure) },
    });

    await expect(refresher.onTurn(1)).rejects.toBe(failure);
  });

  it('makes the turn reject also where it throws before there is a promise', async () => {
    const failure = new Error('not configured');
    const summaryProvider: SummaryProvider = {
      getSummary() {
        throw failure;
      },
    };

    await expect(new ContextRefresher({ threshold: 1, summaryProvider }).onTurn(1)).rejects.toBe(failure);
  });

  it('leaves the count, so that the next turn tries again', async () => {
    const refresher = new ContextRefresher({ threshold: 2, summaryProvider: failingProvider([1, 2]) });

    expect(await outcomes(refresher, 5)).toEqual([NOT_DUE, 'summary 1 failed', 'summary 2 failed', REFRESHED, NOT_DUE]);
  });

  it('leaves no turns until the refresh that is overdue', async () => {
    const refresher = new ContextRefresher({ threshold: 2, summaryProvider: failingProvider([1, 2]) });

    await outcomes(refresher, 2);
    expect(refresher.turnsUntilRefresh).toBe(0);
    await outcomes(refresher, 1);
    expect(refresher.turnsUntilRefresh).toBe(-1);
    await outcomes(refresher, 1);
    expect(refresher.turnsUntilRefresh).toBe(2);
  });
});

describe('entering another node', () => {
  it('[3_MCP-TAS-088] sets the count back without a refresh', async () => {
    const summaryProvider = mockProvider();
    const refresher = new ContextRefresher({ threshold: 5, summaryProvider });

    await takeTurns(refresher, 4);
    refresher.resetNode();

    expect(refresher['turnsInCurrentNode']).toBe(0);
    expect(await takeTurns(refresher, 4)).toEqual([NOT_DUE, NOT_DUE, NOT_DUE, NOT_DUE]);
    expect(summaryProvider.getSummary).not.toHaveBeenCalled();
  });

  it('lets a running refresh finish for the turn that requested it', async () => {
    const provider = heldProvider();
    const refresher = new ContextRefresher({ threshold: 1, summaryProvider: provider });

    const turn = refresher.onTurn(1);
    await provider.asked(1);
    refresher.resetNode();
    provider.release();

    expect(await turn).toEqual(REFRESHED);
  });

  it('[3_MCP-TAS-088] keeps the turns of the new node when a refresh of the old one finishes', async () => {
    const provider = heldProvider();
    const refresher = new ContextRefresher({ threshold: 3, summaryProvider: provider });

    const old = [1, 2, 3].map((turn) => refresher.onTurn(turn));
    await provider.asked(1);
    refresher.resetNode();
    expect(await refresher.onTurn(4)).toEqual(NOT_DUE); // does not wait for the old node
    provider.release();
    await Promise.all(old);

    expect(refresher['turnsInCurrentNode']).toBe(1);
  });

  it('[3_MCP-TAS-088] leaves turns that were still waiting with the node they belong to', async () => {
    const refresher = new ContextRefresher({ threshold: 2, summaryProvider: mockProvider() });

    const old = [refresher.onTurn(1), refresher.onTurn(2)];
    refresher.resetNode();

    expect(await Promise.all([...old, refresher.onTurn(3)])).toEqual([NOT_DUE, REFRESHED, NOT_DUE]);
  });
});

describe('turns that overlap', () => {
  it.each([
    { kind: 'quick', provider: () => mockProvider() },
    { kind: 'slow', provider: () => failingProvider([]) },
    { kind: 'failing', provider: () => failingProvider([1, 3, 4]) },
  ])('[3_MCP-TAS-088] give the results of turns one after another with a $kind provider', async ({ provider }) => {
    const oneByOne = await outcomes(new ContextRefresher({ threshold: 3, summaryProvider: provider() }), 20);

    const refresher = new ContextRefresher({ threshold: 3, summaryProvider: provider() });
    const together = await Promise.all(Array.from({ length: 20 }, (_, index) => outcome(refresher.onTurn(index + 1))));

    expect(together).toEqual(oneByOne);
    expect(together).toContainEqual(REFRESHED);
  });

  it('never ask the provider twice at the same time', async () => {
    let running = 0;
    let mostAtOnce = 0;
    const summaryProvider: SummaryProvider = {
      async getSummary() {
        mostAtOnce = Math.max(mostAtOnce, ++running);
        await macrotask();
        running--;
        return SUMMARIES;
      },
    };
    const refresher = new ContextRefresher({ threshold: 1, summaryProvider });

    await Promise.all(Array.from({ length: 20 }, (_, index) => refresher.onTurn(index + 1)));

    expect(mostAtOnce).toBe(1);
  });
});

describe('a threshold that means nothing', () => {
  it.each([0, -1, Number.NaN, 2.5, Number.POSITIVE_INFINITY])('is refused: %s', (threshold) => {
    expect(() => new ContextRefresher({ threshold, summaryProvider: mockProvider() })).toThrow(
      expect.objectContaining({
        name: 'InvalidOptionError',
        code: 'OPTION_INVALID',
        received: threshold,
        message: `ContextRefresher: threshold must be a whole number of turns, 1 or more; received ${threshold}`,
      }),
    );
  });
});

async function takeTurns(refresher: ContextRefresher, turns: number): Promise<RefreshResult[]> {
  const results: RefreshResult[] = [];
  for (let turn = 1; turn <= turns; turn++) results.push(await refresher.onTurn(turn));
  return results;
}

async function outcomes(refresher: ContextRefresher, turns: number): Promise<(RefreshResult | string)[]> {
  const results: (RefreshResult | string)[] = [];
  for (let turn = 1; turn <= turns; turn++) results.push(await outcome(refresher.onTurn(turn)));
  return results;
}

const outcome = (turn: Promise<RefreshResult>): Promise<RefreshResult | string> =>
  turn.catch((error: Error) => error.message);

/** Slow, and rejects on the calls that are listed. */
function failingProvider(failingCalls: readonly number[]): SummaryProvider {
  let calls = 0;
  return {
    async getSummary() {
      const call = ++calls;
      await macrotask();
      if (failingCalls.includes(call)) throw new Error(`summary ${call} failed`);
      return SUMMARIES;
    },
  };
}

/** Answers no call before it is released. */
function heldProvider() {
  let release = () => {};
  let calls = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release,
    async asked(times: number) {
      while (calls < times) await macrotask();
    },
    async getSummary() {
      calls++;
      await released;
      return SUMMARIES;
    },
  };
}

const macrotask = () => new Promise<void>((resolve) => setImmediate(resolve));
