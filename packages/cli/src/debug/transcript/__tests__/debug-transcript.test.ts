import { expect, it } from 'vitest';
import { createShop, TRANSCRIPT } from '../../../handoff/__tests__/shop.js';

const boundary = {
  type: 'system',
  subtype: 'compact_boundary',
  compactMetadata: { trigger: 'auto', preTokens: 1500 },
};
const failing = [
  {
    type: 'assistant',
    message: { id: 'm-2', content: [{ type: 'tool_use', id: 't-3', name: 'Bash', input: { command: 'npm test' } }] },
  },
  {
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 't-3', content: 'Exit code 1', is_error: true }] },
  },
];

it('tells requests, tools, tokens, compactions, files and what is not understood', async () => {
  const { devs, keep } = await createShop();
  const path = await keep([...TRANSCRIPT, ...failing, boundary, '{"broken', { type: 'new-kind' }]);
  const { exitCode, stdout, stderr } = await devs('debug', 'transcript', path);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('1 request · 1 note of the agent');
  expect(stdout).toContain('150 tokens at its peak');
  expect(stdout).toContain('(auto, 1,500 tokens before)');
  expect(stdout).toContain('Bash: 1 call (1 failed)');
  expect(stdout).toContain('src/add-up.ts: changed 1×, read 0×');
  expect(stdout).toContain('one line is unreadable');
  expect(stdout).toContain('new-kind (1)');
});

it('counts the tokens of a message once, however many lines repeat it [H14]', async () => {
  const { devs, keep } = await createShop();
  const [asked, answer, results] = TRANSCRIPT;
  const path = await keep([asked, answer, answer, answer, results].filter((row) => row !== undefined));
  const { usage } = JSON.parse((await devs('debug', 'transcript', path, '--json')).stdout);
  expect(usage).toMatchObject({ calls: 1, peakContextTokens: 150, outputTokens: 7 });
});

it('gives the same as JSON, and says what to do where there is nothing to read', async () => {
  const { devs, keep } = await createShop();
  const path = await keep(TRANSCRIPT);
  const { stdout } = await devs('debug', 'transcript', path, '--agent', 'claude', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    agent: 'claude',
    conversation: { id: 'c-1' },
    tools: { Edit: { calls: 1, failed: 0, open: 0 } },
    files: { 'src/add-up.ts': { changed: 1, read: 0 } },
    tally: { lines: 3, damagedLines: 0 },
  });
  expect(await devs('debug', 'transcript', `${path}.gone`)).toMatchObject({ exitCode: 1, stdout: '' });
  expect(await devs('debug', 'transcript', path, '--agent', 'parrot')).toMatchObject({ exitCode: 2 });
});
