import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import { COVERAGE_THRESHOLDS, thresholdsFor } from '../lib/test-run/coverage-thresholds.mjs';
import { LONG_TESTS, leftOut } from '../lib/test-run/long-tests.mjs';
import { keepPlain } from '../lib/test-run/plain-output.mjs';
import { SLOWEST } from '../lib/test-run/slowest-first.mjs';
import { tellSkipped } from '../lib/test-run/tell-skipped.mjs';
import { translateTestArgs } from '../lib/test-run/translate-test-args.mjs';

describe('the arguments of a test script', () => {
  it.each([
    { argv: [], request: { coverage: false, vitestArgs: [] } },
    { argv: ['--'], request: { coverage: false, vitestArgs: [] } },
    { argv: ['--', '--testPathPattern=a|b'], request: { coverage: false, vitestArgs: [], pathPattern: /a|b/ } },
    { argv: ['--testPathPattern', 'a'], request: { coverage: false, vitestArgs: [], pathPattern: /a/ } },
    { argv: ['--testPathPatterns=a=b'], request: { coverage: false, vitestArgs: [], pathPattern: /a=b/ } },
    { argv: ['--coverage'], request: { coverage: true, vitestArgs: ['--coverage'] } },
    { argv: ['--coverage=false'], request: { coverage: false, vitestArgs: ['--coverage=false'] } },
    { argv: ['--grep', 'Context Management'], request: { coverage: false, vitestArgs: ['-t', 'Context Management'] } },
    { argv: ['--grep=a'], request: { coverage: false, vitestArgs: ['-t', 'a'] } },
    { argv: ['--bail=1', 'some/path'], request: { coverage: false, vitestArgs: ['--bail=1', 'some/path'] } },
  ])('$argv', ({ argv, request }) => {
    expect(translateTestArgs(argv)).toEqual(request);
  });

  it.each([
    { argv: ['--testPathPattern'], usageError: '--testPathPattern needs a value' },
    { argv: ['--grep='], usageError: '--grep needs a value' },
    { argv: ['--testPathPattern=('], usageError: '--testPathPattern: not a regular expression: (' },
  ])('$argv is an error', ({ argv, usageError }) => {
    expect(translateTestArgs(argv)).toEqual({ usageError });
  });
});

describe('tests that were skipped', () => {
  it('are one line for each reason, and named where they are alone', () => {
    const redis = 'redis-server is not installed: apt-get install redis-server';
    const skipped = [
      { title: 'a file > is refused', reason: 'root reads everything' },
      { title: 'a lease > ends', reason: redis },
      { title: 'a lease > is renewed', reason: redis },
    ];

    expect(tellSkipped(skipped)).toEqual([
      `skipped 2 tests: ${redis}`,
      'skipped: a file > is refused: root reads everything',
    ]);
  });
});

describe('the coverage thresholds', () => {
  it('belong to files that exist', () => {
    const paths = COVERAGE_THRESHOLDS.flatMap(({ file, test }) => [file, test]);

    expect(paths.filter((path) => !existsSync(join(repoRoot, path)))).toEqual([]);
  });

  it('apply where the tests of the file were selected', () => {
    expect(thresholdsFor(['packages/core/src/protocol/__tests__/context-refresher.test.ts'])).toEqual({
      'packages/core/src/protocol/context-refresher.ts': { statements: 95 },
    });
    expect(thresholdsFor(['packages/core/src/protocol/__tests__/other.test.ts'])).toEqual({});
  });
});

describe('the long tests', () => {
  const all = { isSelection: false, env: {} };

  it('are files that exist', () => {
    expect(LONG_TESTS.filter((path) => !existsSync(join(repoRoot, path)))).toEqual([]);
  });

  it('are left out of a run of all tests, and of nothing else', () => {
    const [long = ''] = LONG_TESTS;
    expect(leftOut([long, 'a.test.ts'], all)).toEqual([long]);
    expect(leftOut([long], { ...all, isSelection: true })).toEqual([]);
    expect(leftOut([long], { ...all, env: { DEVS_LONG_TESTS: '1' } })).toEqual([]);
    expect(leftOut([long], { ...all, env: { DEVS_ROUNDS_FACTOR: '50' } })).toEqual([]);
  });
});

describe('the files that are run first', () => {
  it('exist, and are not left out', () => {
    expect(SLOWEST.filter((path) => !existsSync(join(repoRoot, path)) || LONG_TESTS.includes(path))).toEqual([]);
  });
});

describe('the colours of a test run', () => {
  it.each([
    { on: 'a terminal', isTTY: true, env: {}, after: {} },
    { on: 'a pipe', isTTY: false, env: {}, after: { NO_COLOR: '1' } },
    { on: 'a pipe, where they are wanted', isTTY: false, env: { FORCE_COLOR: '1' }, after: { FORCE_COLOR: '1' } },
    { on: 'a pipe, where they are not', isTTY: false, env: { FORCE_COLOR: '0' }, after: { NO_COLOR: '1' } },
    {
      on: 'a terminal, where NO_COLOR is set',
      isTTY: true,
      env: { NO_COLOR: '', FORCE_COLOR: '1' },
      after: { NO_COLOR: '1' },
    },
  ])('on $on', ({ isTTY, env, after }) => {
    const changed: NodeJS.ProcessEnv = { ...env };
    keepPlain({ isTTY }, changed);
    expect(changed).toEqual(after);
  });
});

describe('run-tests', () => {
  const runTests = (...args: string[]) =>
    capture(process.execPath, [join(repoRoot, 'scripts/run-tests.mjs'), ...args], {
      cwd: join(repoRoot, 'packages', 'core'),
    });

  it('prints no escape codes into a pipe, nor the word that people count', async () => {
    const { code, output } = await runTests('--testPathPattern=spec-kind');

    expect(output).toMatch(/spec-kind\.test\.ts[\s\S]*\n\d+ passed, 0 failed\n$/);
    for (const word of ['\u001b', 'FAIL']) expect(output).not.toContain(word);
    expect(code).toBe(0);
  });

  it('fails when the pattern matches nothing; case counts', async () => {
    const { code, output } = await runTests('--', '--testPathPattern=Run-Tests');

    expect(output).toContain('no test file here matches /Run-Tests/');
    expect(code).toBe(1);
  });

  it('ends with 2 on a wrong argument', async () => {
    const { code, output } = await runTests('--testPathPattern');

    expect(output).toContain('--testPathPattern needs a value');
    expect(code).toBe(2);
  });
});
