import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedResponseError } from '../../errors/malformed-response-error.js';
import { ResumeFailedError } from '../../errors/resume-failed-error.js';
import type { LlmAnswer, LlmClient } from '../../ports/llm-client.js';
import { ContextRefresher, type SummaryProvider } from '../../protocol/context-refresher.js';
import { OrchestratorContextInjector } from '../../protocol/orchestrator-context-injector.js';
import { continuingLlm } from '../../testing/continuing-llm.js';
import { createRandom, type Random } from '../../testing/random.js';
import { createRecordingLogger } from '../../testing/recording-logger.js';
import { rounds, seed } from '../../testing/rounds.js';
import { scriptedLlm } from '../../testing/scripted-llm.js';
import { randomEnvelope } from '../../testing/tool-calls.js';
import { turnContext } from '../../testing/turn-context.js';
import { validEnvelope } from '../../testing/valid-envelope.js';
import { estimateTokens } from '../../tokens/estimate-tokens.js';
import { TurnExecutor, type TurnExecutorDeps, type TurnOutcome } from '../turn-executor.js';

const PROMPT = 'Write the test.';
const ENVELOPE = validEnvelope();
const DOCUMENT = JSON.stringify(ENVELOPE);
const CUT = DOCUMENT.indexOf('"arguments":') + '"arguments":'.length;

describe('a turn', () => {
  it.each([
    { kind: 'a string', answer: DOCUMENT },
    { kind: 'a text with a stop reason and usage', answer: answered(DOCUMENT) },
    { kind: 'a fenced text', answer: `\`\`\`json\n${DOCUMENT}\n\`\`\`` },
  ])('[TAS-035] gives the envelope of a client that answers with $kind, in one call', async ({ answer }) => {
    const llm = scriptedLlm(answer);
    const { outcome, logger } = await turn(llm);

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE, cost: { calls: 1 } });
    expect(llm.prompts).toEqual([PROMPT]);
    expect(llm.options).toEqual([undefined]);
    expect(logger.events).toEqual([{ event: 'TURN_COMPLETED', turnIndex: 1, calls: 1 }]);
  });

  it('[3_MCP-TAS-071] corrects an answer that is complete, but no envelope', async () => {
    const llm = scriptedLlm('I will write it.', DOCUMENT);
    const { outcome, logger } = await turn(llm);

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE, cost: { calls: 2 } });
    expect(llm.prompts[1]).toContain('- the answer holds no JSON object\n');
    expect(logger.names()).toEqual(['MALFORMED_RESPONSE_DETECTED', 'CORRECTION_SUCCEEDED', 'TURN_COMPLETED']);
  });

  it('[3_MCP-TAS-072] resumes an answer that was cut off, before anything is called malformed', async () => {
    const llm = continuingLlm(DOCUMENT, 200);
    const { outcome, logger } = await turn(llm);

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE });
    expect(logger.events[0]).toEqual({
      event: 'PARTIAL_COMPLETION_DETECTED',
      lastValidToken: expect.stringMatching(/^\{"schema_version":"1.0",/),
    });
    expect(logger.names()).toEqual([
      'PARTIAL_COMPLETION_DETECTED',
      ...logger.names().filter((name) => name === 'RESUME_TRIED'),
      'RESUME_SUCCEEDED',
      'TURN_COMPLETED',
    ]);
  });

  it('[3_MCP-TAS-072] resumes a correction that was cut off', async () => {
    const llm = scriptedLlm('I will write it.', cutOff(DOCUMENT.slice(0, CUT)), DOCUMENT.slice(CUT));
    const { outcome, logger } = await turn(llm);

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE, cost: { calls: 3 } });
    expect(logger.names()).toEqual([
      'MALFORMED_RESPONSE_DETECTED',
      'PARTIAL_COMPLETION_DETECTED',
      'RESUME_TRIED',
      'RESUME_SUCCEEDED',
      'CORRECTION_SUCCEEDED',
      'TURN_COMPLETED',
    ]);
  });

  it.each([
    { kind: 'empty', answer: '' },
    { kind: 'cut off in its first sentence', answer: cutOff('Let me think about') },
    { kind: 'cut off before its first token ended', answer: cutOff('"abc') },
  ])('[3_MCP-TAS-071] asks again if the answer is $kind: there is nothing to resume', async ({ answer }) => {
    const llm = scriptedLlm(answer, DOCUMENT);
    const { outcome, logger } = await turn(llm);

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE });
    expect(llm.prompts[1]).toContain('correction 1 of 2');
    expect(logger.names()).not.toContain('PARTIAL_COMPLETION_DETECTED');
  });

  it('[P2] resumes an answer that ends between two elements of an array', async () => {
    const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
    const envelope = validEnvelope({ action: { tool_name: 'insert_rows', arguments: { rows } } });
    const document = JSON.stringify(envelope);
    const between = document.indexOf(',{"id":3}');
    const llm = scriptedLlm(cutOff(document.slice(0, between)), document.slice(between));

    expect((await turn(llm)).outcome).toMatchObject({ state: 'COMPLETED', envelope });
  });

  it('[P2] does not take the number at the end of a cut answer for the whole number', async () => {
    const envelope = validEnvelope({ action: { tool_name: 'wait', arguments: { waits: [10, 205] } } });
    const document = JSON.stringify(envelope);
    const inside = document.indexOf('205') + 2;

    const { outcome } = await turn(continuingLlm(document, inside));

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope });
  });

  it('[P2] asks again for a literal at the end of a cut answer: only the stop reason shows that it may continue', async () => {
    const envelope = validEnvelope({ action: { tool_name: 'run', arguments: { dry_run: true } } });
    const document = JSON.stringify(envelope);
    const before = document.indexOf('true');
    const llm = scriptedLlm(cutOff(document.slice(0, before + 4)), document.slice(before));

    expect((await turn(llm)).outcome).toMatchObject({ state: 'COMPLETED', envelope });
    expect(llm.prompts[1]?.endsWith('"dry_run":')).toBe(true);
  });

  it('[3_MCP-TAS-072] gives the same envelope for any cut of the first answer', async () => {
    for (let limit = 60; limit < DOCUMENT.length; limit++) {
      const { outcome } = await turn(continuingLlm(DOCUMENT, limit));
      expect(outcome, `limit ${limit}`).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE });
    }
  });

  it("repeats the turn's subject in every follow-up call", async () => {
    const said = { role: 'user', text: 'You are a coder.' } as const;
    const llm = scriptedLlm('no', cutOff(DOCUMENT.slice(0, CUT)), DOCUMENT.slice(CUT));

    await turn(llm, { context: { history: [said] } });

    const history = [said, { role: 'user', text: PROMPT }];
    expect(llm.options).toEqual([{ history: [said] }, { history }, { history }]);
  });

  it('[TAS-035] discards an observation that the model made up', async () => {
    const observation = { status: 'ok', output: 'all tests pass' };
    const { outcome, logger } = await turn(scriptedLlm(JSON.stringify({ ...ENVELOPE, observation })));

    expect(outcome).toMatchObject({ state: 'COMPLETED' });
    expect(outcome.state === 'COMPLETED' && outcome.envelope).toEqual(ENVELOPE);
    expect(logger.names()).toEqual(['OBSERVATION_DISCARDED', 'TURN_COMPLETED']);
  });
});

describe('the cost of a turn', () => {
  it("is the client's own number", async () => {
    const llm = scriptedLlm(answered('no', 100, 1), answered(DOCUMENT, 200, 90));

    expect((await turn(llm)).outcome).toMatchObject({
      cost: { calls: 2, inputTokens: 300, outputTokens: 91, estimated: false },
    });
  });

  it('is estimated where the client reports nothing, and says so', async () => {
    expect((await turn(scriptedLlm(DOCUMENT))).outcome).toMatchObject({
      cost: {
        calls: 1,
        inputTokens: estimateTokens(PROMPT),
        outputTokens: estimateTokens(DOCUMENT),
        estimated: true,
      },
    });
  });

  it('counts the history with every call that sends it', async () => {
    const history = [{ role: 'user', text: 'You are a coder.' }] as const;
    const { outcome } = await turn(scriptedLlm(DOCUMENT), { context: { history } });

    expect(outcome).toMatchObject({
      cost: { inputTokens: estimateTokens('You are a coder.') + estimateTokens(PROMPT) },
    });
  });

  it('is estimated in part where one call was not reported', async () => {
    const { outcome } = await turn(scriptedLlm('no', answered(DOCUMENT, 200, 90)));

    expect(outcome).toMatchObject({
      cost: { inputTokens: estimateTokens(PROMPT) + 200, outputTokens: estimateTokens('no') + 90, estimated: true },
    });
  });
});

describe('escalation to the user', () => {
  it('[3_MCP-TAS-072] comes once when a cut answer cannot be completed, with all that was tried', async () => {
    const prefix = DOCUMENT.slice(0, CUT);
    const llm = scriptedLlm(
      { ...answered(prefix, 10, 50), stopReason: 'max_tokens' },
      answered('No.', 60, 2),
      answered('No!', 70, 2),
    );
    const { outcome, logger } = await turn(llm, { context: { turnIndex: 7 } });

    expect(outcome).toEqual({
      state: 'USER_ESCALATION',
      diagnosis: {
        reason: 'resume-failed',
        summary:
          "The model's answer was cut off and could not be completed after 3 model calls (refused: not-a-continuation).",
        calls: [
          { prompt: PROMPT, text: prefix, stopReason: 'max_tokens' },
          { prompt: llm.prompts[1], text: 'No.', stopReason: 'end_turn' },
          { prompt: llm.prompts[2], text: 'No!', stopReason: 'end_turn' },
        ],
        cost: { calls: 3, inputTokens: 140, outputTokens: 54, estimated: false },
        error: expect.any(ResumeFailedError),
      },
    });
    expect(logger.events.slice(-2)).toEqual([
      { event: 'RESUME_FAILED' },
      { event: 'USER_ESCALATION', turnIndex: 7, reason: 'resume-failed' },
    ]);
    expect(count(logger.names(), 'USER_ESCALATION')).toBe(1);
  });

  it('[3_MCP-TAS-071] comes once when two corrections did not help', async () => {
    const llm = scriptedLlm('no', 'no', 'no');
    const { outcome, logger } = await turn(llm);

    expect(outcome).toEqual({
      state: 'USER_ESCALATION',
      diagnosis: {
        reason: 'malformed',
        summary:
          "The model's answer was not a SAOP envelope and stayed so after 3 model calls: the answer holds no JSON object.",
        calls: llm.prompts.map((prompt) => ({ prompt, text: 'no' })),
        cost: expect.objectContaining({ calls: 3, estimated: true }),
        error: expect.any(MalformedResponseError),
      },
    });
    expect(logger.names().slice(-2)).toEqual(['CORRECTION_FAILED', 'USER_ESCALATION']);
    expect(count(logger.names(), 'USER_ESCALATION')).toBe(1);
    expect(new Set(llm.prompts).size).toBe(3);
  });

  it('comes when the model cannot be asked for a correction', async () => {
    const failure = new Error('503');
    const { outcome, logger } = await turn(scriptedLlm('no', failure));

    expect(outcome).toMatchObject({
      state: 'USER_ESCALATION',
      diagnosis: {
        reason: 'model-failed',
        summary: 'The turn could not continue after 2 model calls: 503',
        calls: [{ text: 'no' }, { text: '' }],
        error: failure,
      },
    });
    expect(count(logger.names(), 'USER_ESCALATION')).toBe(1);
  });

  it('[P3] comes, or the right envelope does, when the model rephrases its answer and is cut off again', async () => {
    const other = JSON.stringify({ ...ENVELOPE, thought: { reasoning: 'In other words.', plan: 'Another.' } });
    const cut = DOCUMENT.indexOf('"content":') + '"content":'.length;
    const llm = scriptedLlm(cutOff(DOCUMENT.slice(0, cut)), cutOff(other.slice(0, -20)), cutOff(other.slice(0, -20)));
    const { outcome } = await turn(llm);

    expect(outcome).toMatchObject({ state: 'USER_ESCALATION', diagnosis: { reason: 'resume-failed' } });
  });

  it('is spared by a correction where a completed answer has a wrong field in its first half', async () => {
    const wrong = DOCUMENT.replace('"turn_index":1', '"turn_index":"1"');
    const { outcome } = await turn(scriptedLlm(cutOff(wrong.slice(0, CUT + 2)), wrong.slice(CUT + 2), DOCUMENT));

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE });
  });

  it.each([
    { kind: 'null where it knows nothing', answer: { text: DOCUMENT, stopReason: null, usage: null } },
    { kind: 'numbers that are none', answer: { text: DOCUMENT, usage: { inputTokens: Number.NaN, outputTokens: 1 } } },
  ])('is not caused by a client that gives $kind', async ({ answer }) => {
    const { outcome } = await turn(scriptedLlm(answer as unknown as LlmAnswer));

    expect(outcome).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE, cost: { estimated: true } });
  });

  it('is not awaited by a turn behind another turn aborted while its summaries hung', async () => {
    const hanging = { getSummary: () => new Promise<never>(() => {}) };
    const contextInjector = new OrchestratorContextInjector(
      new ContextRefresher({ threshold: 2, summaryProvider: hanging }),
    );
    const executor = new TurnExecutor({
      llmClient: scriptedLlm(DOCUMENT, DOCUMENT),
      logger: createRecordingLogger(),
      contextInjector,
    });
    const abort = new AbortController();
    await executor.execute('first', turnContext()); // counts one
    const second = executor.execute('second', turnContext({ signal: abort.signal }));
    setTimeout(() => abort.abort(new Error('stopped')), 5);
    await expect(second).rejects.toThrow('stopped');

    const third = contextInjector.injectIfNeeded(ENVELOPE, 3, AbortSignal.timeout(5));
    await expect(third).rejects.toThrow();
  });

  it('comes when the client rejects with something other than an error', async () => {
    const llmClient: LlmClient = {
      complete: (prompt) => (prompt === PROMPT ? Promise.resolve('no') : Promise.reject('busy')),
    };

    expect((await turn(llmClient)).outcome).toMatchObject({ diagnosis: { error: new Error('busy') } });
  });

  it('comes when the client answers a follow-up with nothing', async () => {
    const llmClient = {
      complete: async (prompt: string) => (prompt === PROMPT ? DOCUMENT.slice(0, CUT) : undefined),
    } as unknown as LlmClient;

    expect((await turn(llmClient)).outcome).toMatchObject({
      state: 'USER_ESCALATION',
      diagnosis: {
        reason: 'resume-failed',
        calls: [{}, { text: '' }],
        error: { cause: { code: 'MODEL_ANSWER_INVALID' } },
      },
    });
  });

  it('[P5] comes as soon as the caps are reached, for any caps', async () => {
    const { outcome: uncorrected } = await turn(scriptedLlm('no'), { deps: { maxCorrections: 0 } });
    expect(uncorrected).toMatchObject({
      state: 'USER_ESCALATION',
      diagnosis: { summary: expect.stringContaining('after 1 model call:') },
    });

    const llm = continuingLlm(DOCUMENT, 60);
    const { outcome: unresumed } = await turn(llm, { deps: { maxResumeTokens: 1 } });
    expect(unresumed).toMatchObject({ state: 'USER_ESCALATION', diagnosis: { reason: 'resume-failed' } });
    expect(llm.prompts).toHaveLength(2);
  });

  it('[P5] never has been preceded by the same prompt twice', async () => {
    await fc.assert(
      fc.asyncProperty(cutOrGarbage(), garbage(), async (first, again) => {
        const llm = repeating(first, again);
        await turn(llm, { deps: { maxResumeTokens: 200 } });
        expect(new Set(llm.prompts).size).toBe(llm.prompts.length);
      }),
      { numRuns: rounds(50, 7_500), seed: seed() },
    );
  });

  it('[P1] comes for all broken text: it is never taken for an envelope', async () => {
    await fc.assert(
      fc.asyncProperty(
        cutOrGarbage(),
        garbage(),
        fc.constantFrom('end_turn', 'max_tokens'),
        async (first, again, stopReason) => {
          const { outcome, logger } = await turn(repeating(first, { text: again, stopReason }), {
            deps: { maxResumeTokens: 200 },
          });
          expect(outcome.state).toBe('USER_ESCALATION');
          expect(count(logger.names(), 'USER_ESCALATION')).toBe(1);
          expect(logger.names()).not.toContain('TURN_COMPLETED');
        },
      ),
      { numRuns: rounds(100, 15_000), seed: seed() },
    );
  });
});

describe('a model that answers in pieces', () => {
  it('[P1] gives its envelope or a question to the user, never another value, for any output limit', async () => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(50, 7_500); round++) {
      const envelope = randomEnvelope(random);
      const llm = inPieces(JSON.stringify(envelope), random);

      const { outcome } = await turn(llm);

      if (outcome.state === 'COMPLETED') expect(outcome.envelope, `round ${round}`).toEqual(envelope);
    }
  });

  it('[P5] is never asked the same twice', async () => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(50, 7_500); round++) {
      const llm = inPieces(JSON.stringify(randomEnvelope(random)), random);

      await turn(llm);

      expect(new Set(llm.prompts).size, `round ${round}`).toBe(llm.prompts.length);
    }
  });

  it('[3_MCP-TAS-072] is understood where the pieces are of 300 characters or more and follow each other', async () => {
    const random = createRandom(seed());
    let completed = 0;
    for (let round = 0; round < rounds(100); round++) {
      const { outcome } = await turn(continuingLlm(JSON.stringify(randomEnvelope(random)), 300 + random.below(700)));
      if (outcome.state === 'COMPLETED') completed++;
    }

    expect(completed).toBeGreaterThanOrEqual(rounds(95));
  });
});

describe('a model that cannot be asked at all', () => {
  it('makes the turn reject with its error, and is no escalation', async () => {
    const failure = new Error('401');
    const logger = createRecordingLogger();

    await expect(executor(scriptedLlm(failure), { logger }).execute(PROMPT, turnContext())).rejects.toBe(failure);
    expect(logger.events).toEqual([]);
  });

  it.each([undefined, null, 42])('makes the turn reject when it answers with %s', async (answer) => {
    const llmClient = { complete: async () => answer } as unknown as LlmClient;

    await expect(executor(llmClient).execute(PROMPT, turnContext())).rejects.toMatchObject({
      code: 'MODEL_ANSWER_INVALID',
    });
  });
});

describe('an abort', () => {
  const reason = new Error('the user pressed stop');

  it('before the turn rejects with the reason and asks nothing', async () => {
    const llm = scriptedLlm(DOCUMENT);

    await expect(executor(llm).execute(PROMPT, turnContext({ signal: AbortSignal.abort(reason) }))).rejects.toBe(
      reason,
    );
    expect(llm.prompts).toEqual([]);
  });

  it.each([
    { stage: 'the first call', answers: [] },
    { stage: 'a resume', answers: [DOCUMENT.slice(0, CUT)] },
    { stage: 'the retry of a resume', answers: [DOCUMENT.slice(0, CUT), 'no'] },
    { stage: 'a correction', answers: ['no'] },
    { stage: 'the second correction', answers: ['no', 'no'] },
    { stage: 'the resume of a correction', answers: ['no', DOCUMENT.slice(0, CUT)] },
  ])('during $stage rejects with the reason, and is no escalation', async ({ answers }) => {
    const controller = new AbortController();
    const logger = createRecordingLogger();
    const llm = thenAbort(answers, () => controller.abort(reason));

    const taken = executor(llm, { logger }).execute(PROMPT, turnContext({ signal: controller.signal }));

    await expect(taken).rejects.toBe(reason);
    expect(llm.prompts).toHaveLength(answers.length + 1);
    for (const event of ['USER_ESCALATION', 'RESUME_FAILED', 'CORRECTION_FAILED', 'TURN_COMPLETED']) {
      expect(logger.names()).not.toContain(event);
    }
  });

  it('while the summaries are fetched rejects with the reason', async () => {
    const controller = new AbortController();
    const logger = createRecordingLogger();
    const contextInjector = injectorEvery(1, {
      getSummary() {
        controller.abort(reason);
        return new Promise(() => {});
      },
    });

    const taken = executor(scriptedLlm(DOCUMENT), { logger, contextInjector }).execute(
      PROMPT,
      turnContext({ signal: controller.signal }),
    );

    await expect(taken).rejects.toBe(reason);
    expect(logger.events).toEqual([]);
  });

  it('that never comes changes nothing', async () => {
    const { signal } = new AbortController();
    const llm = scriptedLlm('no', DOCUMENT);

    expect((await turn(llm, { context: { signal } })).outcome).toMatchObject({
      state: 'COMPLETED',
      envelope: ENVELOPE,
    });
    expect(llm.options).toEqual([{ signal }, { signal, history: [{ role: 'user', text: PROMPT }] }]);
  });
});

describe('re-injection', () => {
  it('[3_MCP-TAS-089] puts the summaries in front of the reasoning on turns 5 and 10', async () => {
    const contextInjector = injectorEvery(5, { getSummary: async () => ({ tasSummary: 'T', prdSummary: 'P' }) });
    const llm = scriptedLlm(...Array.from({ length: 10 }, () => DOCUMENT));
    const turns = executor(llm, { contextInjector });

    const reasonings = [];
    for (let turnIndex = 1; turnIndex <= 10; turnIndex++) {
      const outcome = await turns.execute(PROMPT, turnContext({ turnIndex }));
      reasonings.push(outcome.state === 'COMPLETED' ? outcome.envelope.thought.reasoning : undefined);
    }

    const plain = ENVELOPE.thought.reasoning;
    const injected = `[CONTEXT REFRESH]\n## TAS Summary\nT\n\n## PRD Summary\nP\n\n${plain}`;
    expect(reasonings).toEqual([plain, plain, plain, plain, injected, plain, plain, plain, plain, injected]);
  });

  it('[3_MCP-TAS-089] that fails does not cost the answer, and is tried again on the next turn', async () => {
    let calls = 0;
    const contextInjector = injectorEvery(1, {
      async getSummary() {
        if (++calls === 1) throw new Error('disk full');
        return { tasSummary: 'T', prdSummary: 'P' };
      },
    });
    const logger = createRecordingLogger();
    const turns = executor(scriptedLlm(DOCUMENT, DOCUMENT), { contextInjector, logger });

    const first = await turns.execute(PROMPT, turnContext({ turnIndex: 1 }));
    const second = await turns.execute(PROMPT, turnContext({ turnIndex: 2 }));

    expect(first).toMatchObject({ state: 'COMPLETED', envelope: ENVELOPE });
    expect(second).toMatchObject({
      envelope: { thought: { reasoning: expect.stringMatching(/^\[CONTEXT REFRESH\]/) } },
    });
    expect(logger.events).toEqual([
      { event: 'CONTEXT_REFRESH_FAILED', turnIndex: 1, error: 'disk full' },
      { event: 'TURN_COMPLETED', turnIndex: 1, calls: 1 },
      { event: 'CONTEXT_REFRESHED', turnIndex: 2 },
      { event: 'TURN_COMPLETED', turnIndex: 2, calls: 1 },
    ]);
  });

  it('that fails with something other than an error is reported too', async () => {
    const contextInjector = injectorEvery(1, { getSummary: () => Promise.reject('gone') });
    const { logger } = await turn(scriptedLlm(DOCUMENT), { deps: { contextInjector } });

    expect(logger.events[0]).toEqual({ event: 'CONTEXT_REFRESH_FAILED', turnIndex: 1, error: 'gone' });
  });
});

function executor(llmClient: LlmClient, deps: Partial<TurnExecutorDeps> = {}): TurnExecutor {
  return new TurnExecutor({ llmClient, logger: createRecordingLogger(), ...deps });
}

async function turn(
  llmClient: LlmClient,
  { deps, context }: { deps?: Partial<TurnExecutorDeps>; context?: Parameters<typeof turnContext>[0] } = {},
): Promise<{ outcome: TurnOutcome; logger: ReturnType<typeof createRecordingLogger> }> {
  const logger = createRecordingLogger();
  const outcome = await executor(llmClient, { logger, ...deps }).execute(PROMPT, turnContext(context));
  return { outcome, logger };
}

function answered(text: string, inputTokens = 10, outputTokens = 10): LlmAnswer {
  return { text, stopReason: 'end_turn', usage: { inputTokens, outputTokens } };
}

function cutOff(text: string): LlmAnswer {
  return { text, stopReason: 'max_tokens' };
}

function injectorEvery(threshold: number, summaryProvider: SummaryProvider) {
  return new OrchestratorContextInjector(new ContextRefresher({ threshold, summaryProvider }));
}

/** Gives the answers, then stays silent until the turn is aborted. */
function thenAbort(answers: readonly string[], abort: () => void) {
  const prompts: string[] = [];
  const complete: LlmClient['complete'] = (prompt) => {
    const answer = answers[prompts.length];
    prompts.push(prompt);
    if (answer !== undefined) return Promise.resolve(answer);
    setImmediate(abort);
    return new Promise(() => {});
  };
  return { prompts, complete };
}

/** One answer, then the same other one for ever. */
function repeating(first: string, again: string | LlmAnswer) {
  const prompts: string[] = [];
  const complete: LlmClient['complete'] = async (prompt) => (prompts.push(prompt) === 1 ? first : again);
  return { prompts, complete };
}

/** Knows one document, answers with a limited number of characters, and may repeat some of the prefix. */
function inPieces(document: string, random: Random) {
  const outputLimit = random.pick([40, 100, 300, 1_000]);
  const mostRepeated = random.pick([0, 0, 20, 10_000]);
  const exact = continuingLlm(document);
  const complete = async (prompt: string): Promise<LlmAnswer> => {
    const { text } = (await exact.complete(prompt)) as LlmAnswer;
    const shown = document.length - text.length;
    const start = shown - random.below(Math.min(mostRepeated, shown) + 1);
    const end = start + outputLimit;
    return { text: document.slice(start, end), stopReason: end < document.length ? 'max_tokens' : 'end_turn' };
  };
  return { prompts: exact.prompts, complete };
}

/** Text in which no object ever ends, so that it cannot be, or complete, an envelope. */
function garbage() {
  const bits = fc.constantFrom(
    '{"',
    '"',
    ':',
    ',',
    '[',
    ']',
    '{',
    '\\',
    '12',
    'true',
    '```json\n',
    'Sure: ',
    '{"phase":"plan",',
  );
  return fc.array(fc.oneof(bits, fc.string()), { maxLength: 12 }).map((parts) => parts.join('').replaceAll('}', ''));
}

function cutOrGarbage() {
  return fc.oneof(
    garbage(),
    fc.integer({ min: 0, max: DOCUMENT.length - 1 }).map((end) => DOCUMENT.slice(0, end)),
  );
}

const count = (names: readonly string[], wanted: string) => names.filter((name) => name === wanted).length;
