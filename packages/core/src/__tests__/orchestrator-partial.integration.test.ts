import { describe, expect, it } from 'vitest';
import {
  ContextRefresher,
  createFixedSummaryProvider,
  type ILlmClient,
  OrchestratorContextInjector,
  ResumeFailedError,
  type SAOP_Envelope,
  TurnExecutor,
} from '../index.js';
import { continuingLlm, createRecordingLogger, scriptedLlm, turnContext, validEnvelope } from '../testing/index.js';

const ENVELOPE: SAOP_Envelope = validEnvelope();
const DOCUMENT = JSON.stringify(ENVELOPE);
const BOUNDARIES = ['"thought":', '"plan":', '"action":{', '"arguments":', '"content":'].map((token) => ({
  token,
  truncated: DOCUMENT.slice(0, DOCUMENT.indexOf(token) + token.length),
}));

describe('the orchestrator and an answer that is cut off', () => {
  it.each(BOUNDARIES)('[3_MCP-TAS-072] resumes behind $token without anybody noticing', async ({ truncated }) => {
    const { llmClient, prompts } = stub(truncated, DOCUMENT.slice(truncated.length));
    const logger = createRecordingLogger();

    const outcome = await new TurnExecutor({ llmClient, logger }).execute('Go.', turnContext());

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE });
    expect(prompts).toEqual([
      'Go.',
      `Complete the following SAOP JSON starting exactly where it left off. Do not repeat or modify what has already been output. JSON so far:\n${truncated}`,
    ]);
    expect(logger.events).toEqual([
      { event: 'PARTIAL_COMPLETION_DETECTED', lastValidToken: truncated },
      { event: 'RESUME_TRIED', shownChars: truncated.length, outcome: 'completed' },
      { event: 'RESUME_SUCCEEDED' },
      { event: 'TURN_COMPLETED', turnIndex: 1, calls: 2 },
    ]);
  });

  it.each(BOUNDARIES)('[3_MCP-TAS-072] asks the user when nothing more comes behind $token', async ({ truncated }) => {
    const { llmClient, prompts } = stub(truncated, '', '');
    const logger = createRecordingLogger();

    const outcome = await new TurnExecutor({ llmClient, logger }).execute('Go.', turnContext());

    expect(outcome).toMatchObject({
      state: 'USER_ESCALATION',
      diagnosis: { reason: 'resume-failed', error: { prefix: truncated, completion: '' } },
    });
    expect(logger.events).toContainEqual({ event: 'RESUME_FAILED' });
    expect(logger.names().filter((name) => name === 'USER_ESCALATION')).toHaveLength(1);
    expect(new Set(prompts).size).toBe(3);
  });

  it('[3_MCP-TAS-072] asks the user when the resumed answer is truncated too, and stays so', async () => {
    const truncated = DOCUMENT.slice(0, DOCUMENT.indexOf('"thought":') + 10);
    const more = DOCUMENT.slice(truncated.length, DOCUMENT.indexOf('"plan":') + 7);
    const { llmClient } = stub(truncated, more, '', '');
    const logger = createRecordingLogger();

    const outcome = await new TurnExecutor({ llmClient, logger }).execute('Go.', turnContext());

    if (outcome.state !== 'USER_ESCALATION') throw new Error('expected an escalation');
    expect(outcome.diagnosis.error).toBeInstanceOf(ResumeFailedError);
    expect(outcome.diagnosis.error).toMatchObject({ prefix: truncated + more });
    expect(outcome.diagnosis.calls.map(({ text }) => text)).toEqual([truncated, more, '', '']);
    expect(logger.events).toContainEqual({ event: 'RESUME_FAILED' });
  });

  it('[P3] accepts everything that real models put around the rest of it', async () => {
    const truncated = DOCUMENT.slice(0, DOCUMENT.indexOf('"arguments":') + 12);
    const rest = DOCUMENT.slice(truncated.length);
    const completions = [
      rest,
      truncated.slice(-30) + rest,
      DOCUMENT,
      `\`\`\`json\n${rest}\n\`\`\``,
      `Here is the rest:\n\n${rest}`,
    ];

    for (const completion of completions) {
      const llmClient = scriptedLlm(truncated, completion);
      const turn = new TurnExecutor({ llmClient, logger: createRecordingLogger() }).execute('Go.', turnContext());
      expect(await turn, completion).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE, cost: { calls: 2 } });
    }
  });

  it('[3_MCP-TAS-089] counts a resumed turn like any other and re-injects on the fifth', async () => {
    const summaryProvider = createFixedSummaryProvider({ tasSummary: 'Use ESM.', prdSummary: 'Users resume work.' });
    const contextInjector = new OrchestratorContextInjector(new ContextRefresher({ summaryProvider }));
    const logger = createRecordingLogger();

    const refreshed = [];
    for (let turnIndex = 1; turnIndex <= 5; turnIndex++) {
      const executor = new TurnExecutor({ llmClient: continuingLlm(DOCUMENT, 150), logger, contextInjector });
      const outcome = await executor.execute('Go.', turnContext({ turnIndex }));
      if (outcome.state !== 'COMPLETED') throw new Error('expected an envelope');
      refreshed.push(outcome.envelope.thought.reasoning.startsWith('[CONTEXT REFRESH]'));
    }

    expect(refreshed).toEqual([false, false, false, false, true]);
  });
});

/** The seed's client: one argument in, a string out. */
function stub(...answers: string[]): { llmClient: ILlmClient; prompts: string[] } {
  const prompts: string[] = [];
  return {
    prompts,
    llmClient: {
      async complete(prompt) {
        prompts.push(prompt);
        return answers[prompts.length - 1] ?? '';
      },
    },
  };
}
