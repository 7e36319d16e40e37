import type { SaopEnvelope } from '../protocol/saop-envelope.js';

export const validEnvelope = (changes: Partial<SaopEnvelope> = {}): SaopEnvelope => ({
  schema_version: '1.0',
  turn_index: 1,
  agent_id: 'coder-1',
  phase: 'implement',
  thought: { reasoning: 'The parser drops the last token.', plan: 'Write a test that shows it.' },
  action: {
    tool_name: 'write_file',
    arguments: { path: 'src/parser.test.ts', content: "it('keeps it', () => {});\n" },
  },
  ...changes,
});
