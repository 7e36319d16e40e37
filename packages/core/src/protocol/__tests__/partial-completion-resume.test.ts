import { describe, expect, it } from 'vitest';
import { ResumeFailedError as ResumeFailedErrorOfErrors } from '../../errors/resume-failed-error.js';
import type { LlmAnswer, LlmClient } from '../../ports/llm-client.js';
import { continuingLlm } from '../../testing/continuing-llm.js';
import { createRecordingLogger } from '../../testing/recording-logger.js';
import { scriptedLlm } from '../../testing/scripted-llm.js';
import { turnContext } from '../../testing/turn-context.js';
import { validEnvelope } from '../../testing/valid-envelope.js';
import { detect } from '../partial-completion-detector.js';
import { PartialCompletionResumeHandler, ResumeFailedError } from '../partial-completion-resume-handler.js';

const PROMPT =
  'Complete the following SAOP JSON starting exactly where it left off. Do not repeat or modify what has already been output. JSON so far:\n';

const ENVELOPE = validEnvelope();
const DOCUMENT = JSON.stringify(ENVELOPE);
/** Behind the colon of `"arguments":`, where a token ends. */
const CUT = DOCUMENT.indexOf('"arguments":') + '"arguments":'.length;
const PREFIX = DOCUMENT.slice(0, CUT);
const REST = DOCUMENT.slice(CUT);

describe('detecting a cut', () => {
  it.each([
    { where: 'in a string', raw: '{"a":1,"b":"hel', lastValidToken: '{"a":1,"b":', resumablePrefix: '{"a":1,"b":"hel' },
    { where: 'in a key', raw: '{"a":1,"be', lastValidToken: '{"a":1,', resumablePrefix: '{"a":1,"be' },
    { where: 'in an array', raw: '{"a":[1,2,', lastValidToken: '{"a":[1,2,', resumablePrefix: '{"a":[1,2,' },
    { where: 'in a number', raw: '{"a":[1,23', lastValidToken: '{"a":[1,', resumablePrefix: '{"a":[1,' },
    { where: 'in a literal', raw: '{"a":tru', lastValidToken: '{"a":', resumablePrefix: '{"a":' },
    {
      where: 'before a closing brace',
      raw: '{"a":{"b":1}',
      lastValidToken: '{"a":{"b":1}',
      resumablePrefix: '{"a":{"b":1}',
    },
    { where: 'in an escape', raw: '["x\\u00', lastValidToken: '[', resumablePrefix: '["x' },
    { where: 'in the first token', raw: '"abc', lastValidToken: '', resumablePrefix: '"abc' },
    { where: 'behind a byte-order mark', raw: '\ufeff {"a":', lastValidToken: ' {"a":', resumablePrefix: ' {"a":' },
    { where: 'in a fence', raw: '```json\n{"a":', lastValidToken: '{"a":', resumablePrefix: '{"a":' },
    { where: 'behind a sentence', raw: 'Here it is: {"a":', lastValidToken: '{"a":', resumablePrefix: '{"a":' },
  ])('[3_MCP-TAS-072] gives the text up to the last valid token of an answer that ends $where', (row) => {
    const { raw, lastValidToken, resumablePrefix } = row;

    expect(detect(raw)).toEqual({ partial: true, lastValidToken, resumablePrefix, cutIn: expect.any(String) });
  });

  it.each([
    { what: 'an object', raw: DOCUMENT },
    { what: 'an array', raw: '[1,2]' },
    { what: 'a number', raw: '12' },
    { what: 'an object with white space around it', raw: `\n ${DOCUMENT}\n` },
    { what: 'an object behind a byte-order mark', raw: `\ufeff${DOCUMENT}` },
    { what: 'a fenced object', raw: `\`\`\`json\n${DOCUMENT}\n\`\`\`` },
    { what: 'an object with text behind it', raw: `${DOCUMENT} That is all.` },
    { what: 'broken JSON, which no further text could mend', raw: '{"a":1]' },
    { what: 'a sentence without JSON', raw: 'I cannot do that.' },
  ])('[3_MCP-TAS-072] takes $what for no cut', ({ raw }) => {
    expect(detect(raw)).toEqual({ partial: false });
  });

  it.each(['', ' \n\t', '\ufeff', '```json\n'])(
    'takes an answer with nothing in it for a cut before the start: %j',
    (raw) => {
      expect(detect(raw)).toEqual({ partial: true, lastValidToken: '', resumablePrefix: '', cutIn: 'start' });
    },
  );

  it('[P2] believes the provider when it says that the answer was cut off', () => {
    expect([detect('12', { stopReason: 'max_tokens' }), detect('12', { stopReason: 'end_turn' })]).toEqual([
      { partial: true, lastValidToken: '', resumablePrefix: '', cutIn: 'number' },
      { partial: false },
    ]);
    expect([
      detect('{"a":[true', { stopReason: 'length' }),
      detect('{"a":[true', { stopReason: 'stop' }),
    ]).toMatchObject([{ lastValidToken: '{"a":[' }, { lastValidToken: '{"a":[true' }]);
    expect(detect('Let me think about', { stopReason: 'length' })).toMatchObject({ partial: true, cutIn: 'start' });
  });
});

describe('asking for the rest', () => {
  it('[3_MCP-TAS-072] shows the exact prefix behind the words of the seed, and passes nothing else', async () => {
    const calls: unknown[][] = [];
    const llmClient: LlmClient = {
      async complete(...args) {
        calls.push(args);
        return REST;
      },
    };

    await handler(llmClient).resume(PREFIX, turnContext());

    expect(calls).toEqual([[`${PROMPT}${PREFIX}`]]);
  });

  it('passes on the signal and the history, if any', async () => {
    const llm = scriptedLlm(REST);
    const history = [{ role: 'user', text: 'Write the test.' }] as const;
    const { signal } = new AbortController();

    await handler(llm).resume(PREFIX, turnContext({ history, signal }));

    expect(llm.options).toEqual([{ history, signal }]);
  });

  it.each([
    { kind: 'a string', answer: REST },
    { kind: 'a text with a stop reason and usage', answer: whole(REST) },
  ])(
    '[3_MCP-TAS-072] puts prefix and completion together to the envelope when the client gives $kind',
    async ({ answer }) => {
      const logger = createRecordingLogger();

      expect(await handler(scriptedLlm(answer), { logger }).resume(PREFIX, turnContext())).toEqual(ENVELOPE);
      expect(logger.events).toEqual([
        { event: 'RESUME_TRIED', shownChars: PREFIX.length, outcome: 'completed' },
        { event: 'RESUME_SUCCEEDED' },
      ]);
    },
  );

  it('[3_MCP-TAS-072] resumes a cut at every place of the document', async () => {
    for (let cut = 1; cut < DOCUMENT.length; cut++) {
      const detection = detect(DOCUMENT.slice(0, cut));
      if (!detection.partial) throw new Error(`not seen as cut: ${cut}`);

      const envelope = await handler(continuingLlm(DOCUMENT)).resume(detection.lastValidToken, turnContext());

      expect(envelope, `cut at ${cut}`).toEqual(ENVELOPE);
    }
  });
});

describe('a completion that is not exactly the rest', () => {
  it.each([
    { kind: 'repeats the tail of the prefix', completion: PREFIX.slice(-24) + REST },
    { kind: 'starts again from the beginning', completion: DOCUMENT },
    { kind: 'starts again with other white space', completion: JSON.stringify(ENVELOPE, null, 2) },
    { kind: 'is in a fence', completion: `\`\`\`json\n${REST}\n\`\`\`` },
    { kind: 'follows a line of prose', completion: `Here is the rest of the JSON:\n${REST}` },
    {
      kind: 'follows prose, in a fence, from the beginning',
      completion: `Here it is:\n\n\`\`\`json\n${DOCUMENT}\n\`\`\`\n`,
    },
  ])('[P3] gives the envelope in one call when it $kind', async ({ completion }) => {
    const llm = scriptedLlm(completion);

    expect(await handler(llm).resume(PREFIX, turnContext())).toEqual(ENVELOPE);
    expect(llm.prompts).toHaveLength(1);
  });

  it('[P3] continues over several completions that are cut off again', async () => {
    const llm = continuingLlm(DOCUMENT, 60);
    const logger = createRecordingLogger();

    expect(await handler(llm, { logger }).resume(DOCUMENT.slice(0, 40), turnContext())).toEqual(ENVELOPE);
    expect(llm.prompts.length).toBeGreaterThan(3);
    expect(logger.names().slice(-2)).toEqual(['RESUME_TRIED', 'RESUME_SUCCEEDED']);
    expect(logger.names()).not.toContain('RESUME_FAILED');
  });

  it('[P2] continues when a completion ends between two elements and the provider reports a cut', async () => {
    const envelope = withArguments({ rows: [10, 20, 30, 40] });
    const document = JSON.stringify(envelope);
    const [start, middle] = [document.indexOf('10'), document.indexOf(',30')];
    const llm = scriptedLlm(
      { text: document.slice(start, middle), stopReason: 'max_tokens' },
      document.slice(middle - 2),
    );

    expect(await handler(llm).resume(document.slice(0, start), turnContext())).toEqual(envelope);
    // 20 may have been the beginning of 205, so it is asked for again.
    expect(llm.prompts[1]).toBe(PROMPT + document.slice(0, middle - 2));
  });

  it('[P2] does not take a completion for a separate document when the provider reports a cut', async () => {
    const inner = REST.slice(0, -2); // the whole of the arguments, without the braces that end the envelope
    const llm = scriptedLlm({ text: inner, stopReason: 'length' }, '}}');

    expect(await handler(llm).resume(PREFIX, turnContext())).toEqual(ENVELOPE);
    expect(llm.prompts).toEqual([PROMPT + PREFIX, PROMPT + PREFIX + inner]);
  });

  it('[P3] finishes a string that is fifty times longer than one answer', async () => {
    const content = numberedLines(5_000).slice(0, 50_000);
    const envelope = withArguments({ path: 'notes.md', content });
    const document = JSON.stringify(envelope);
    const detection = detect(document.slice(0, 1_000));
    if (!detection.partial) throw new Error('not seen as cut');
    const llm = continuingLlm(document, 1_000);

    const patient = handler(llm, { maxResumeTokens: 2_000_000 });
    expect(await patient.resume(detection.resumablePrefix, turnContext())).toEqual(envelope);
    expect(llm.prompts.length).toBeLessThan(70);
    expect(new Set(llm.prompts).size).toBe(llm.prompts.length);
  });
});

describe('an answer that is too short for its content', () => {
  it('[P5] is not asked for again from the same place when it ends in a short string', async () => {
    const llm = continuingLlm(DOCUMENT, 30); // the reasoning alone is longer

    expect(await handler(llm).resume(DOCUMENT.slice(0, 40), turnContext())).toEqual(ENVELOPE);
    expect(new Set(llm.prompts).size).toBe(llm.prompts.length);
  });

  it('[P5] is not asked for again from the same place when it ends in a run of equal elements', async () => {
    const document = JSON.stringify(withArguments({ cells: Array.from({ length: 300 }, () => 0) }));
    const llm = continuingLlm(document, 200);

    // Repeated zeros cannot be counted, so the resume fails.
    await failureOf(handler(llm).resume(document.slice(0, document.indexOf('[0') + 1), turnContext()));

    expect(new Set(llm.prompts).size).toBe(llm.prompts.length);
  });
});

describe('a completion that does not help', () => {
  it('[3_MCP-TAS-072] leads to one retry, and then to an error with the prefix and the last completion', async () => {
    const llm = scriptedLlm('I am sorry.', 'I am very sorry.');
    const logger = createRecordingLogger();

    const failure = await failureOf(handler(llm, { logger }).resume(PREFIX, turnContext()));

    expect(failure).toMatchObject({ prefix: PREFIX, completion: 'I am very sorry.', code: 'RESUME_FAILED' });
    expect(failure.message).toBe(`Resume failed after ${PREFIX.length} + 16 characters: refused: not-a-continuation`);
    expect(llm.prompts).toHaveLength(2);
    expect(logger.events).toEqual([
      { event: 'RESUME_TRIED', shownChars: PREFIX.length, outcome: 'refused: not-a-continuation' },
      { event: 'RESUME_TRIED', shownChars: PREFIX.length, outcome: 'refused: not-a-continuation' },
      { event: 'RESUME_FAILED' },
    ]);
  });

  it('is the same error class from the handler as from the errors, and an Error', () => {
    expect(ResumeFailedError).toBe(ResumeFailedErrorOfErrors);
    expect(new ResumeFailedError({ prefix: '{', completion: '' })).toBeInstanceOf(Error);
  });

  it('says why in an error that was made without a reason', () => {
    expect(new ResumeFailedError({ prefix: '{"a":', completion: '1' })).toMatchObject({
      name: 'ResumeFailedError',
      message: 'Resume failed after 5 + 1 characters',
    });
  });

  it('[P5] is not answered with the same prompt again', async () => {
    const llm = scriptedLlm('No.', 'No.');

    await failureOf(handler(llm).resume(PREFIX, turnContext()));

    const [first, second] = llm.prompts;
    expect(first).toBe(PROMPT + PREFIX);
    expect(second).toBe(
      `Your last completion could not be used (refused: not-a-continuation). Reply with the missing characters only: no fence, no comment.\n${PROMPT}${PREFIX}`,
    );
  });

  it('[3_MCP-TAS-072] is not allowed twice in a row, also where the second is of another kind', async () => {
    const llm = scriptedLlm('', 'No.', REST);

    expect(await failureOf(handler(llm).resume(PREFIX, turnContext()))).toMatchObject({ completion: 'No.' });
  });

  it('is allowed once: the retry may succeed', async () => {
    expect(await handler(scriptedLlm('Sorry?', REST)).resume(PREFIX, turnContext())).toEqual(ENVELOPE);
  });

  it('is allowed behind an ambiguous one, which is asked for from an earlier place', async () => {
    const envelope = withArguments({ cells: [5, 0, 0, 0] });
    const document = JSON.stringify(envelope);
    const exact = continuingLlm(document);
    const prompts: string[] = [];
    const llm: LlmClient = {
      complete: async (prompt) => {
        prompts.push(prompt);
        return prompts.length === 2 ? 'Sorry?' : exact.complete(prompt);
      },
    };

    expect(await handler(llm).resume(document.slice(0, document.indexOf('0,0,0') + 2), turnContext())).toEqual(
      envelope,
    );
    expect(prompts).toHaveLength(3);
    expect(new Set(prompts).size).toBe(3);
  });

  it('is none where it ends a word that had only begun to arrive', async () => {
    const envelope = withArguments({ shell: false, dry: true });
    const document = JSON.stringify(envelope, null, 2);
    const begun = document.indexOf('false');
    const end = begun + 'false'.length;
    const llm = scriptedLlm(
      { text: `${document.slice(begun, end)}\n  `, stopReason: 'max_tokens' },
      document.slice(end),
    );
    const logger = createRecordingLogger();

    const resumed = handler(llm, { logger }).resume(document.slice(0, begun), turnContext(), { received: 'false' });

    expect(await resumed).toEqual(envelope);
    expect(logger.events[0]).toMatchObject({ outcome: 'extended' });
    expect(llm.prompts[1]).toBe(PROMPT + document.slice(0, end));
  });

  it('is allowed again after progress', async () => {
    const half = Math.floor(REST.length / 2);
    const llm = scriptedLlm('What?', { text: REST.slice(0, half), stopReason: 'length' }, 'What?', DOCUMENT);

    expect(await handler(llm).resume(PREFIX, turnContext())).toEqual(ENVELOPE);
    expect(llm.prompts).toHaveLength(4);
  });

  it.each([
    { kind: 'is empty', completion: '', outcome: 'no-progress' },
    { kind: 'repeats what is there and stops', completion: PREFIX.slice(-30), outcome: 'no-progress' },
    { kind: 'holds a key twice', completion: '{"a":1,"a":2}}}', outcome: 'refused: duplicate-key' },
  ])('is a completion that $kind', async ({ completion, outcome }) => {
    const logger = createRecordingLogger();

    const failure = await failureOf(
      handler(scriptedLlm(completion, completion), { logger }).resume(PREFIX, turnContext()),
    );

    expect(failure.completion).toBe(completion);
    const tried = { event: 'RESUME_TRIED', shownChars: PREFIX.length, outcome };
    expect(logger.events).toEqual([tried, tried, { event: 'RESUME_FAILED' }]);
  });

  it('ends at once where the JSON is whole but no envelope, and hands the text on', async () => {
    const logger = createRecordingLogger();

    const failure = await failureOf(handler(scriptedLlm('7}}'), { logger }).resume(PREFIX, turnContext()));

    expect(failure).toMatchObject({ completion: '7}}', document: `${PREFIX}7}}`, reason: 'not-an-envelope' });
    expect(logger.names()).toEqual(['RESUME_TRIED', 'RESUME_FAILED']);
  });

  it('[P1] takes no chatter into a string without proof', async () => {
    const long = JSON.stringify(withArguments({ content: 'a word '.repeat(200) }));
    const cut = long.slice(0, -400);
    const llm = scriptedLlm(
      { text: long.slice(cut.length, cut.length + 1), stopReason: 'max_tokens' },
      `Sure: ${long.slice(cut.length + 1)}`,
      `Sure: ${long.slice(cut.length + 1)}`,
    );

    await failureOf(handler(llm).resume(cut, turnContext()));
  });

  it('[3_MCP-TAS-072] never closes the text itself: a prefix without a continuation stays cut off', async () => {
    const failure = await failureOf(handler(scriptedLlm('', '')).resume(DOCUMENT.slice(0, -1), turnContext()));

    expect(failure.prefix).toBe(DOCUMENT.slice(0, -1));
  });

  it('[P3] leads to an earlier place when it can be read in two ways, and from there to the envelope', async () => {
    const envelope = withArguments({ cells: [5, 0, 0, 0] });
    const document = JSON.stringify(envelope);
    const prefix = document.slice(0, document.indexOf('0,0,0') + 2);
    const llm = continuingLlm(document);

    expect(await handler(llm).resume(prefix, turnContext())).toEqual(envelope);

    expect(llm.prompts).toHaveLength(2);
    const shown = llm.prompts[1]?.split(PROMPT)[1] ?? '';
    expect(llm.prompts[1]).toMatch(/^Your last completion could not be used \(refused: ambiguous\)/);
    expect(shown.length).toBeLessThan(prefix.length);
    expect(prefix.startsWith(shown)).toBe(true);
  });

  it('names everything received when it fails, including text not shown', async () => {
    const failure = await failureOf(
      handler(scriptedLlm('No.', 'No.')).resume(PREFIX, turnContext(), { received: '{"path":"sr' }),
    );

    expect(failure.prefix).toBe(`${PREFIX}{"path":"sr`);
  });

  it('[P1] continues from the cut inside a string, though the model was shown less: it may be anything', async () => {
    const received = REST.slice(0, 20);
    for (const text of [REST.slice(20), 'src/parser.ts"}}}', 'Sorry, here is the rest: "}}}']) {
      const llm = scriptedLlm(text, REST);

      expect(await handler(llm).resume(PREFIX, turnContext(), { received })).toEqual(ENVELOPE);
      expect(llm.prompts[1]).toContain('refused: ');
    }
  });

  it('[P3] contradicts text that had already arrived', async () => {
    const received = REST.slice(0, 20);
    const other = JSON.stringify({ path: 'lib/other.ts', content: '' });
    const llm = scriptedLlm(`${other}}}`, REST);

    expect(await handler(llm).resume(PREFIX, turnContext(), { received })).toEqual(ENVELOPE);
    expect(llm.prompts[1]).toContain('refused: received-lost');
  });
});

describe('the token cap', () => {
  it('[P5] ends an endless resume', async () => {
    const document = JSON.stringify(withArguments({ content: numberedLines(500) }));
    const llm = continuingLlm(document, 200);
    const logger = createRecordingLogger();

    const failure = await failureOf(
      handler(llm, { logger, maxResumeTokens: 200 }).resume(document.slice(0, 700), turnContext()),
    );

    expect(failure.message).toContain('the cap of 200 tokens');
    expect(llm.prompts.length).toBeLessThan(8);
    expect(logger.names().at(-1)).toBe('RESUME_FAILED');
  });

  it("uses the provider's count if there is one", async () => {
    const piece = { text: REST.slice(0, 8), usage: { inputTokens: 200, outputTokens: 300 } };
    const llm = scriptedLlm(piece, REST.slice(8));

    const failure = await failureOf(handler(llm, { maxResumeTokens: 500 }).resume(PREFIX, turnContext()));

    expect(failure).toMatchObject({ prefix: PREFIX + piece.text, completion: piece.text });
    expect(llm.prompts).toHaveLength(1);
  });

  it('is not lifted by a provider that reports nothing but zeros', async () => {
    const piece = { text: REST.slice(0, 8), usage: { inputTokens: 0, outputTokens: 0 } };
    const llm = scriptedLlm(piece, REST.slice(8));

    await failureOf(handler(llm, { maxResumeTokens: 10 }).resume(PREFIX, turnContext()));

    expect(llm.prompts).toHaveLength(1);
  });

  it('does not throw away an envelope that is complete when it is reached', async () => {
    expect(await handler(scriptedLlm(REST), { maxResumeTokens: 1 }).resume(PREFIX, turnContext())).toEqual(ENVELOPE);
  });

  it.each([Number.NaN, 0, -1])('is refused where it is %s', (maxResumeTokens) => {
    expect(() => handler(scriptedLlm(), { maxResumeTokens })).toThrow(
      'maxResumeTokens must be a number of tokens above 0',
    );
  });

  it('[P5] counts the sent text, and stops before a question that would exceed it', async () => {
    const document = JSON.stringify(withArguments({ content: numberedLines(500) }));
    const llm = continuingLlm(document, 300);
    const history = [{ role: 'user' as const, text: 'A long specification. '.repeat(2_000) }];

    await failureOf(handler(llm, { maxResumeTokens: 50_000 }).resume(document.slice(0, 700), turnContext({ history })));

    expect(llm.prompts.length).toBeLessThan(6);
  });
});

describe('a client that breaks', () => {
  it('makes the resume fail with its error as the cause', async () => {
    const cause = new Error('503');
    const logger = createRecordingLogger();

    const failure = await failureOf(handler(scriptedLlm(cause), { logger }).resume(PREFIX, turnContext()));

    expect(failure).toMatchObject({ prefix: PREFIX, completion: '', cause });
    expect(logger.events).toEqual([{ event: 'RESUME_FAILED' }]);
  });

  it.each([undefined, null, 42, [], {}, { text: 7 }])(
    'makes the resume fail when it resolves to %j',
    async (answer) => {
      const llmClient = { complete: async () => answer } as unknown as LlmClient;

      const failure = await failureOf(handler(llmClient).resume(PREFIX, turnContext()));

      expect(failure).toMatchObject({ prefix: PREFIX, completion: '', cause: { code: 'MODEL_ANSWER_INVALID' } });
    },
  );

  it('makes the resume fail when it throws before there is a promise', async () => {
    const llmClient: LlmClient = {
      complete() {
        throw new Error('no key');
      },
    };

    expect(await failureOf(handler(llmClient).resume(PREFIX, turnContext()))).toMatchObject({
      cause: { message: 'no key' },
    });
  });
});

describe('an abort', () => {
  const reason = new Error('the user pressed stop');

  it('before the call rejects with the reason and asks nothing', async () => {
    const llm = scriptedLlm(REST);
    const logger = createRecordingLogger();

    const resumed = handler(llm, { logger }).resume(PREFIX, turnContext({ signal: AbortSignal.abort(reason) }));

    await expect(resumed).rejects.toBe(reason);
    expect(llm.prompts).toEqual([]);
    expect(logger.events).toEqual([]);
  });

  it('during a call rejects with the reason, even if the client takes no notice', async () => {
    const controller = new AbortController();
    const logger = createRecordingLogger();
    const deaf: LlmClient = { complete: () => new Promise(() => {}) };

    const resumed = handler(deaf, { logger }).resume(PREFIX, turnContext({ signal: controller.signal }));
    controller.abort(reason);

    await expect(resumed).rejects.toBe(reason);
    expect(logger.events).toEqual([]);
  });

  it('that comes while a call is being started rejects with the reason', async () => {
    const controller = new AbortController();
    const llmClient: LlmClient = {
      complete() {
        controller.abort(reason);
        return new Promise(() => {});
      },
    };

    await expect(handler(llmClient).resume(PREFIX, turnContext({ signal: controller.signal }))).rejects.toBe(reason);
  });

  it('rejects with the reason, even if the client rejects with its own error', async () => {
    const controller = new AbortController();
    const logger = createRecordingLogger();
    const llmClient: LlmClient = {
      complete: (_prompt, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new Error('socket closed')));
        }),
    };

    const resumed = handler(llmClient, { logger }).resume(PREFIX, turnContext({ signal: controller.signal }));
    controller.abort(reason);

    await expect(resumed).rejects.toBe(reason);
    expect(logger.names()).not.toContain('RESUME_FAILED');
  });

  it('between two calls ends the resume', async () => {
    const controller = new AbortController();
    const llm = continuingLlm(DOCUMENT, 30);
    const logger = createRecordingLogger();
    const stopping = { ...logger, log: () => controller.abort(reason) };

    const resumed = handler(llm, { logger: stopping }).resume(PREFIX, turnContext({ signal: controller.signal }));

    await expect(resumed).rejects.toBe(reason);
    expect(llm.prompts).toHaveLength(1);
  });

  it('that never comes leaves no listener behind', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') listeners++;
        if (name === 'removeEventListener') listeners--;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });

    await handler(continuingLlm(DOCUMENT, 60)).resume(PREFIX, turnContext({ signal: counted }));

    expect(listeners).toBe(0);
  });
});

function handler(
  llmClient: LlmClient,
  deps: { logger?: ReturnType<typeof createRecordingLogger>; maxResumeTokens?: number } = {},
) {
  return new PartialCompletionResumeHandler({ llmClient, logger: createRecordingLogger(), ...deps });
}

const withArguments = (args: Record<string, unknown>) =>
  validEnvelope({ action: { tool_name: 'write_file', arguments: args } });

const numberedLines = (lines: number) => Array.from({ length: lines }, (_, line) => `line ${line} \\ "é🚀"\n`).join('');

function whole(text: string): LlmAnswer {
  return { text, stopReason: 'end_turn', usage: { inputTokens: 10, outputTokens: 10 } };
}

async function failureOf(resumed: Promise<unknown>): Promise<ResumeFailedError> {
  const outcome = await resumed.catch((error: unknown) => error);
  if (!(outcome instanceof ResumeFailedError)) throw new Error(`expected a ResumeFailedError, got ${String(outcome)}`);
  return outcome;
}
