import type { Scenario } from '@devs/model';

const MESSAGE = [
  'I am a script, not a model: nothing was done.',
  'To let me work, name a model: `devs agent --provider anthropic` with ANTHROPIC_API_KEY set,',
  'or `--provider openai --model NAME` with OPENAI_API_KEY, or `--base-url URL` for a server of your own.',
].join(' ');

const ENVELOPE = {
  schema_version: '1.0',
  turn_index: 0,
  agent_id: 'builtin',
  phase: 'unconfigured',
  thought: { reasoning: '', plan: [] },
  action: { tool_name: 'end_turn', arguments: { message: MESSAGE } },
};

/** What the built-in agent says where nobody has named a model yet. */
export const unconfiguredScenario = (): Scenario => ({
  name: 'no model is configured',
  scale: 1,
  rules: [],
  default: [{ kind: 'say', text: JSON.stringify(ENVELOPE) }],
});
