import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSaopEnvelope, TurnExecutor } from '@devs/core';
import { createScriptedLlmClient, readScenario } from '@devs/scripted-model';
import { describe, expect, it } from 'vitest';

const EXAMPLES = new URL('../../../../../examples/scenarios/', import.meta.url);
const OTHERS = new URL('../../../fixtures/glossary/scenario.yaml', import.meta.url);
const SAMPLE = fileURLToPath(new URL('sample-builtin.yaml', EXAMPLES));
const BUILTIN = { 'the sample': SAMPLE, 'the glossary': fileURLToPath(OTHERS) };

/** What the built-in agent shows the model when the workflow has come to a position. */
const observed = (output: object) =>
  `OBSERVATION ${JSON.stringify({ tool_name: 'workflow_advance', status: 'ok', output })}`;
const at = (task: string, subStep: string) =>
  observed({ status: 'running', step: 'build', task: { index: 0, id: task, title: 'Title' }, subStep });

describe('a scenario of the sample project', () => {
  it.each(readdirSync(EXAMPLES))('%s can be used', async (name) => {
    expect((await readScenario(fileURLToPath(new URL(name, EXAMPLES)))).rules.length).toBeGreaterThan(10);
  });

  it.each(Object.entries(BUILTIN))(
    'for %s consists of envelopes, except for the rest of a cut-off answer',
    async (_name, file) => {
      const { rules, default: last } = await readScenario(file);
      const isRest = ({ when }: (typeof rules)[number]) => when.prompt.some((text) => text.startsWith('Complete the'));
      const said = [...rules.filter((rule) => !isRest(rule)).flatMap(({ reply }) => reply), ...last].flatMap((step) =>
        step.kind === 'say' ? [step.text] : [],
      );

      expect(said.length).toBeGreaterThan(15);
      expect(said.filter((text) => !parseSaopEnvelope(text).valid)).toEqual([]);
    },
  );

  it('[3_MCP-TAS-072] is cut off once in the middle of a file, and the rest fits', async () => {
    const log: string[] = [];
    const executor = new TurnExecutor({
      llmClient: createScriptedLlmClient(await readScenario(SAMPLE)),
      logger: { log: ({ event }) => void log.push(event) },
    });
    const take = (prompt: string) =>
      executor.execute(prompt, { threadId: 't', taskId: 'n', agentRole: 'builtin', turnIndex: 1 });

    expect(await take(at('format', 'implement'))).toMatchObject({
      state: 'COMPLETED',
      envelope: {
        action: {
          tool_name: 'write_file',
          arguments: { content: expect.stringMatching(/'0s' : parts\.join\(' '\);\n}\n$/) },
        },
      },
    });
    expect(log).toEqual(['PARTIAL_COMPLETION_DETECTED', 'RESUME_TRIED', 'RESUME_SUCCEEDED', 'TURN_COMPLETED']);
  });

  it('asks where the workflow stands when it is told something else, such as a handoff that quotes old steps', async () => {
    const model = createScriptedLlmClient(await readScenario(SAMPLE));
    const answer = await model.complete(`# Handoff\nIt had observed: ${at('format', 'test').slice(12)}`);

    expect(JSON.stringify(answer)).toContain('workflow_status');
  });
});
