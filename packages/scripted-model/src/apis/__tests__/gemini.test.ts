import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../scenario/parse-scenario.js';
import { startModelServer } from '../../server/start-model-server.js';

const SCENARIO = `rules:
  - when: { api: gemini, toolResult: { contains: done } }
    reply: All is well.
  - when: { api: gemini, prompt: Run it }
    reply:
      - run: make
default: Hello.
`;
const TOOLS = [{ functionDeclarations: [{ name: 'run_shell_command' }] }];
const user = (...parts: readonly object[]) => ({ role: 'user', parts });

describe('the Gemini API of the scripted model', () => {
  it('calls a tool, reads its result, and says how much was used', async () => {
    const model = await startModelServer({ scenario: parseScenario(SCENARIO) });
    const ask = async (manner: string, contents: readonly object[]) => {
      const url = `${model.url}/v1beta/models/gemini-2.5-pro:${manner}`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ contents, tools: TOOLS }) });
      return response.text();
    };
    try {
      const first = user({ text: '<session_context>x</session_context>' }, { text: 'Run it' });
      const streamed = await ask('streamGenerateContent', [first]);
      const [chunk, last] = streamed
        .split('\n\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line.slice('data: '.length)));
      const call = chunk.candidates[0].content.parts[0].functionCall;
      expect(call).toMatchObject({ name: 'run_shell_command', args: { command: 'make' } });
      expect(last).toMatchObject({ candidates: [{ finishReason: 'STOP' }], modelVersion: 'gemini-2.5-pro' });
      expect(last.usageMetadata.promptTokenCount).toBeGreaterThan(0);
      const result = { functionResponse: { id: call.id, name: call.name, response: { output: 'done' } } };
      const whole = JSON.parse(
        await ask('generateContent', [first, { role: 'model', parts: [{ functionCall: call }] }, user(result)]),
      );
      expect(whole.candidates[0].content.parts).toEqual([{ text: 'All is well.' }]);
      expect(model.requests().map(({ prompt, model: name }) => [prompt, name])).toEqual([
        ['Run it', 'gemini-2.5-pro'],
        ['Run it', 'gemini-2.5-pro'],
      ]);
    } finally {
      await model.close();
    }
  });
});
