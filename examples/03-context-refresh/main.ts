// On every third turn the summaries of the specs are put in front of the agent's reasoning again.
import assert from 'node:assert/strict';
import { ContextRefresher, createMarkdownSummaryProvider, OrchestratorContextInjector, TurnExecutor } from '@devs/core';
import { createRecordingLogger, scriptedLlm, turnContext, validEnvelope } from '@devs/core/testing';

const summaryProvider = createMarkdownSummaryProvider({
  tas: '# Architecture\n\n## Summary\nMoney is counted in whole cents.\n\n## Modules\n…',
  prd: '# Product\n\n<!-- summary -->\nCart and invoice show one total.\n<!-- /summary -->\n',
});
const refresher = new ContextRefresher({ threshold: 3, summaryProvider });
const answer = JSON.stringify(validEnvelope());
const executor = new TurnExecutor({
  llmClient: scriptedLlm(answer, answer, answer, answer),
  logger: createRecordingLogger(),
  contextInjector: new OrchestratorContextInjector(refresher),
});

const reasonings: string[] = [];
for (const turnIndex of [1, 2, 3, 4]) {
  const outcome = await executor.execute('Go on.', turnContext({ turnIndex }));
  assert.equal(outcome.state, 'COMPLETED');
  reasonings.push(outcome.envelope.thought.reasoning);
}

const own = validEnvelope().thought.reasoning;
const reminder =
  '[CONTEXT REFRESH]\n## TAS Summary\nMoney is counted in whole cents.\n\n## PRD Summary\nCart and invoice show one total.';
assert.deepEqual(reasonings, [own, own, `${reminder}\n\n${own}`, own]);
console.log('example ok');
