import type { BuiltinFact } from '../builtin-record.js';

/** A line as the built-in agent writes it. */
export const line = (fact: BuiltinFact, at = '2026-11-01T10:00:00.000Z'): string => {
  const { type, ...rest } = fact;
  return JSON.stringify({ at, type, ...rest });
};

export const opened: BuiltinFact = {
  type: 'conversation',
  id: 'c-1',
  folder: '/shop',
  agentVersion: '1.0.0',
  provider: 'scripted',
  model: 'scripted',
  window: 100_000,
  permissions: 'allow',
};

export const answered = (tool: string, args: object, reasoning = ''): BuiltinFact => ({
  type: 'envelope',
  turn: 0,
  envelope: {
    schema_version: '1.0',
    turn_index: 0,
    agent_id: 'builtin',
    phase: 'work',
    thought: { reasoning, plan: [] },
    action: { tool_name: tool, arguments: { ...args } },
  },
});

export const used = (inputTokens: number): BuiltinFact => ({
  type: 'usage',
  turn: 0,
  inputTokens,
  outputTokens: 5,
  window: 100_000,
  model: 'scripted',
  calls: 1,
  totalInputTokens: inputTokens,
  totalOutputTokens: 5,
  estimated: false,
});
