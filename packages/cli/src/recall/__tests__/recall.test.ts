import { appendFile, chmod } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createShop, TRANSCRIPT } from '../../handoff/__tests__/shop.js';

const asked = (content: string) => ({ type: 'user', sessionId: 'c-9', message: { content } });

describe('devs recall', () => {
  it('finds text in any conversation of the folder, with its place', async () => {
    const { devs, keep } = await createShop();
    await keep(TRANSCRIPT);
    await keep([asked('The voucher counts twice')]);
    const { exitCode, stdout, stderr } = await devs('recall', 'vouch');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('The voucher counts twice');
    expect(stdout).toContain('Write a test for vouchers');
    expect(stdout).toMatch(/request · claude · .*c-2\.jsonl:1/);
    expect(stdout).toContain('2 results from 2 conversations.');
  });

  it('reads only new lines of a grown transcript', async () => {
    const { devs, keep } = await createShop();
    const path = await keep([asked('The first apple')]);
    await devs('recall', 'apple');
    await appendFile(path, `${JSON.stringify(asked('The second apple'))}\n`);
    expect((await devs('recall', 'apple', '--json')).stdout.match(/apple"/g)).toHaveLength(2);
  });

  it('gives the results as JSON, as many as are wanted', async () => {
    const { devs, keep } = await createShop();
    await keep([asked('apple pie'), asked('apple cake')]);
    const { stdout } = await devs('recall', 'apple', '--limit', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      conversations: 1,
      results: [{ kind: 'request', text: 'apple cake', agent: 'claude', line: 2 }],
    });
  });

  it('shows no secret', async () => {
    const { devs, keep } = await createShop();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await keep([asked(`deploy with ${secret}`)]);
    const { stdout } = await devs('recall', 'deploy');
    expect(stdout).toContain('deploy with [redacted:');
    expect(stdout).not.toContain(secret);
    expect((await devs('recall', secret)).exitCode).toBe(1);
  });

  it('says that nothing was found, and of what', async () => {
    const { devs, keep } = await createShop();
    expect(await devs('recall', 'pear')).toMatchObject({
      exitCode: 1,
      stdout: 'No conversations of this project yet.\n',
    });
    await keep(TRANSCRIPT);
    const { exitCode, stdout } = await devs('recall', 'pear');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Nothing about "pear" in 1 conversation.');
  });

  it.each([
    [['recall'], 'missing required argument'],
    [['recall', '--', '--'], 'there is no word to search for'],
    [['recall', 'x', '--limit', '0'], 'whole number from 1 to 100'],
  ])('refuses %j', async (argv, words) => {
    const { devs } = await createShop();
    const run = await devs(...argv);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(words);
  });

  it('names a transcript that it cannot read, and searches the others', async (context) => {
    if (process.getuid?.() === 0) context.skip('root reads everything');
    const { devs, keep } = await createShop();
    await chmod(await keep([asked('apple one')]), 0);
    await keep([asked('apple two')]);
    const { stdout, stderr } = await devs('recall', 'apple');
    expect(stdout).toContain('apple two');
    expect(stderr).toContain('cannot read');
  });
});
