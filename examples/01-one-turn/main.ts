// One turn: a prompt goes to the model, and what comes back is an envelope that may be carried out.
import assert from 'node:assert/strict';
import { type LlmClient, TurnExecutor } from '@devs/core';

// Any model can stand behind this one method.
const llmClient: LlmClient = {
  async complete() {
    const envelope = {
      schema_version: '1.0',
      turn_index: 1,
      agent_id: 'coder-1',
      phase: 'implement',
      thought: { reasoning: 'The test names the file.', plan: 'Read it.' },
      action: { tool_name: 'read_file', arguments: { path: 'src/parser.ts' } },
    };
    return `Here you are:\n\`\`\`json\n${JSON.stringify(envelope)}\n\`\`\``;
  },
};

const executor = new TurnExecutor({ llmClient, logger: { log: () => {} } });
const outcome = await executor.execute('The parser test is red. Find out why.', {
  threadId: 'thread-1',
  taskId: 'task-1',
  agentRole: 'coder',
  turnIndex: 1,
});

assert.equal(outcome.state, 'COMPLETED');
assert.deepEqual(outcome.envelope.action, { tool_name: 'read_file', arguments: { path: 'src/parser.ts' } });
console.log('example ok');
