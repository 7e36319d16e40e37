import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../testing/deep-freeze.js';
import { validEnvelope } from '../../testing/valid-envelope.js';
import { ContextRefresher } from '../context-refresher.js';
import { OrchestratorContextInjector } from '../orchestrator-context-injector.js';

const REASONING = 'The parser drops the last token.';
const SUMMARY = '[CONTEXT REFRESH]\n## TAS Summary\nUse ESM.\n\n## PRD Summary\nUsers resume work.';

describe('injecting the summaries', () => {
  it('[3_MCP-TAS-089] leaves the reasoning of the first four turns as it is', async () => {
    const injector = injectorEvery(5);

    const reasonings = [];
    for (let turn = 1; turn <= 4; turn++) {
      reasonings.push((await injector.injectIfNeeded(validEnvelope(), turn)).thought.reasoning);
    }

    expect(reasonings).toEqual([REASONING, REASONING, REASONING, REASONING]);
  });

  it('[3_MCP-TAS-089] puts the summaries in front of the reasoning on turn 5 and changes nothing else', async () => {
    const injector = injectorEvery(5);
    for (let turn = 1; turn <= 4; turn++) await injector.injectIfNeeded(validEnvelope(), turn);

    const envelope = await injector.injectIfNeeded(validEnvelope(), 5);

    const { thought, ...rest } = validEnvelope();
    expect(envelope).toEqual({ ...rest, thought: { ...thought, reasoning: `${SUMMARY}\n\n${REASONING}` } });
    expect(envelope.thought.reasoning.startsWith('[CONTEXT REFRESH]')).toBe(true);
  });

  it('returns a new envelope with a new thought and leaves the original unchanged', async () => {
    const given = deepFreeze(validEnvelope());

    const returned = await injectorEvery(1).injectIfNeeded(given, 1);

    expect(returned).not.toBe(given);
    expect(returned.thought).not.toBe(given.thought);
    expect(given).toEqual(validEnvelope());
  });

  it('gives the same object when nothing is due', async () => {
    const given = deepFreeze(validEnvelope());

    expect(await injectorEvery(5).injectIfNeeded(given, 1)).toBe(given);
  });

  it('[3_MCP-TAS-089] injects exactly twice in ten turns, on turns 5 and 10', async () => {
    const injector = injectorEvery(5);

    const injectedOn = [];
    for (let turn = 1; turn <= 10; turn++) {
      const { thought } = await injector.injectIfNeeded(deepFreeze(validEnvelope()), turn);
      if (thought.reasoning.includes('[CONTEXT REFRESH]')) injectedOn.push(turn);
    }

    expect(injectedOn).toEqual([5, 10]);
  });

  it('does not hide the error of a provider that fails', async () => {
    const failure = new Error('no summary');
    const summaryProvider = { getSummary: () => Promise.reject(failure) };
    const injector = new OrchestratorContextInjector(new ContextRefresher({ threshold: 1, summaryProvider }));

    await expect(injector.injectIfNeeded(validEnvelope(), 1)).rejects.toBe(failure);
  });
});

function injectorEvery(threshold: number): OrchestratorContextInjector {
  const summaryProvider = { getSummary: async () => ({ tasSummary: 'Use ESM.', prdSummary: 'Users resume work.' }) };
  return new OrchestratorContextInjector(new ContextRefresher({ threshold, summaryProvider }));
}
