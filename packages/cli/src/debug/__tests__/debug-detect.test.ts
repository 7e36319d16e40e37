import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';

const folder = mkdtempSync(join(tmpdir(), 'devs-detect-'));
afterAll(() => rmSync(folder, { recursive: true }));

const detect = (args: readonly string[], input?: string) =>
  runDevs(['debug', 'detect', ...args], input === undefined ? {} : { input });

describe.concurrent('devs debug detect', () => {
  it('examines a file', async () => {
    const file = join(folder, 'answer.txt');
    writeFileSync(file, '{"plan": ["read", "wr');
    const { exitCode, stdout, stderr } = await detect([file]);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('cut off inside a string');
    expect(stdout).toContain('17 characters complete: {"plan": ["read",');
  });

  it('examines stdin', async () => {
    const { exitCode, stdout } = await detect(['-', '--stop-reason', 'max_tokens', '--json'], '[1, 2');

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      stopReason: 'max_tokens',
      verdict: { kind: 'cut-off', cutIn: 'number', lastValidToken: { tail: '[1,' } },
    });
  });

  it.each([
    { args: [join(folder, 'nowhere.txt')], says: 'there is no file' },
    { args: [folder], says: 'is a directory. Name a file in it.' },
  ])('says what to do when the text cannot be read: $says', async ({ args, says }) => {
    const { exitCode, stdout, stderr } = await detect(args);

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^devs: /);
    expect(stderr).toContain(says);
  });
});
