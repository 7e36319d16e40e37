import { describe, expect, it } from 'vitest';
import { line, read } from './codex-lines.js';

const usage = (input: number, output = 25) => ({
  input_tokens: input,
  cached_input_tokens: 100,
  output_tokens: output,
  total_tokens: input + output,
});
const counted = (last: object, total: number) =>
  line('event_msg', {
    type: 'token_count',
    info: { last_token_usage: last, total_token_usage: { total_tokens: total } },
  });
const recorded = (input: number, id: string) =>
  line('token_usage_record', { response_id: id, usage: usage(input), thread_token_usage: usage(999_000) });
const reported = (messageId: string, inputTokens: number) => ({
  type: 'usage.reported',
  messageId,
  inputTokens,
  outputTokens: 25,
  cachedTokens: 100,
});

describe('usage in a transcript of Codex', () => {
  it('is that of the last call, never the sum of the thread', () => {
    const { facts } = read(counted(usage(50_000), 50_025), counted(usage(60_000), 110_050));
    expect(facts).toEqual([reported('line-1', 50_000), reported('line-2', 60_000)]);
  });

  it('is reported once when the count is repeated for a changed limit', () => {
    expect(read(counted(usage(50_000), 50_025), counted(usage(50_000), 50_025)).facts).toHaveLength(1);
  });

  it('comes from the exact records where the version writes them', () => {
    const { facts } = read(
      recorded(50_000, 'r1'),
      counted(usage(50_000), 50_025),
      recorded(900, 'r2'),
      counted(usage(900), 50_950),
    );
    expect(facts).toEqual([reported('r1', 50_000), reported('r2', 900)]);
  });

  it('is not taken from the estimate that follows a compaction', () => {
    expect(read(counted({ ...usage(0, 0), total_tokens: 7_041 }, 60_000), counted({}, 70_000)).facts).toEqual([]);
  });
});
