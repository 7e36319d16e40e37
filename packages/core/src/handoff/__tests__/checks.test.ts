import { describe, expect, it } from 'vitest';
import { isCheck, saysFailure } from '../evidence/checks.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { asked, eventsOf, ran } from './transcript.js';

const commandOf = (command: string, output: string) => {
  const [found] = ledgerOf(eventsOf(asked('go'), ran(command, output))).commands.values();
  if (found === undefined) throw new Error('the ledger holds no command');
  return found;
};

/** Behind a pipe, where no exit code tells. */
describe('an output tells of failures', () => {
  it.each([
    ['jest', 'FAIL src/a.test.ts\n  ● adds\nTests:       2 failed, 10 passed, 12 total\nTime: 3 s'],
    ['vitest', ' Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 20 passed (21)\n   Duration  1.2s'],
    ['mocha', '  10 passing (2s)\n  2 failing\n\n  1) adds up'],
    ['node:test', '# tests 12\n# pass 10\n# fail 2\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 120'],
    ['node:test, spec', 'ℹ tests 12\nℹ pass 10\nℹ fail 2\nℹ cancelled 0\nℹ skipped 0\nℹ duration_ms 120'],
    ['tap', 'TAP version 13\nok 1 - adds\nnot ok 2 - subtracts\n1..2'],
    ['pytest', 'FAILED tests/test_a.py::test_adds - assert 1 == 2\n========= 1 failed, 3 passed in 0.12s ========='],
    ['unittest', 'Ran 5 tests in 0.01s\n\nFAILED (failures=1, errors=2)'],
    ['rspec', 'Failures:\n  1) Invoice total rounds\nFinished in 3.2 seconds\n42 examples, 3 failures'],
    ['minitest', '28 runs, 50 assertions, 1 failures, 0 errors, 0 skips'],
    ['phpunit', 'FAILURES!\nTests: 5, Assertions: 9, Failures: 1.'],
    ['go', '--- FAIL: TestAdd (0.00s)\nFAIL\nFAIL\texample.org/shop\t0.01s'],
    ['cargo', 'test adds ... FAILED\ntest result: FAILED. 4 passed; 1 failed; 0 ignored; finished in 0.00s'],
    ['rustc', 'error[E0308]: mismatched types\n --> src/lib.rs:3:5'],
    ['maven', '[ERROR] Tests run: 5, Failures: 2\n[ERROR] Failed to execute goal surefire\n[INFO] BUILD FAILURE'],
    ['gradle', '12 tests completed, 2 failed\nBUILD FAILED in 3s'],
    ['dotnet', 'Failed!  - Failed:     1, Passed:     9, Skipped:     0, Total:    10'],
    ['ctest', '90% tests passed, 1 tests failed out of 10'],
    ['eslint', '✖ 5 problems (3 errors, 2 warnings)'],
    ['tsc', "src/a.ts(3,5): error TS2304: Cannot find name 'x'."],
    ['mypy', 'a.py:3: error: Name "x" is not defined\nFound 1 error in 1 file (checked 3 source files)'],
    ['ruff', 'Found 3 errors.'],
    ['rubocop', '12 files inspected, 2 offenses detected'],
    ['make', 'make: *** [Makefile:3: test] Error 1'],
    ['npm', 'npm ERR! code ELIFECYCLE\nnpm ERR! errno 1'],
    ['python', 'Traceback (most recent call last):\n  File "a.py", line 3\nKeyError: region'],
    ['some program', 'Error: connect ECONNREFUSED 127.0.0.1:5432'],
  ])('of %s', (_, output) => {
    expect(saysFailure(commandOf('npm test 2>&1 | tail -20', output))).toBe(true);
  });
});

describe('an output tells of none', () => {
  it.each([
    [
      'vite',
      '(6:27): A comment that Rollup cannot interpret was removed.\n✓ 2253 modules transformed.\n✓ built in 3.39s',
    ],
    ['webpack', 'WARNING: export x was not found\nwebpack 5.90.0 compiled successfully in 812 ms'],
    ['jest', 'PASS src/errors.test.ts\nTests:       12 passed, 12 total'],
    ['vitest', ' Test Files  4 passed (4)\n      Tests  21 passed (21)'],
    ['vitest, with an error that a test expects', 'stderr | a.test.ts\nError: boom\n      Tests  21 passed (21)'],
    ['mocha', '  ✔ shows an error when login failed\n  10 passing (2s)'],
    ['node:test', '# tests 12\n# pass 12\n# fail 0\n# cancelled 0\n# duration_ms 120'],
    ['pytest', '===== 5 passed, 1 warning in 0.12s ====='],
    ['unittest', 'Ran 5 tests in 0.01s\n\nOK'],
    ['rspec', 'Finished in 3.2 seconds\n42 examples, 0 failures'],
    ['minitest', '28 runs, 50 assertions, 0 failures, 0 errors, 0 skips'],
    ['phpunit', 'OK (5 tests, 9 assertions)'],
    ['go', 'ok  \texample.org/shop/errors\t0.01s'],
    ['cargo', 'test error::parse_fails ... ok\ntest result: ok. 5 passed; 0 failed; 0 ignored'],
    ['maven', '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS'],
    ['gradle', 'BUILD SUCCESSFUL in 3s'],
    ['dotnet', 'Passed!  - Failed:     0, Passed:    10, Skipped:     0, Total:    10'],
    ['ctest', '100% tests passed, 0 tests failed out of 10'],
    ['mypy', 'Success: no issues found in 3 source files'],
    ['a build', 'dist/error.js  1.2 kB\ndist/failed-login.js  0.3 kB'],
    ['nothing', ''],
  ])('of %s', (_, output) => {
    expect(saysFailure(commandOf('npm test 2>&1 | tail -20', output))).toBe(false);
  });

  it('where the command only shows what others said', () => {
    expect(saysFailure(commandOf('kubectl -n staging logs deploy/api | tail -5', 'error: no flags'))).toBe(false);
    expect(saysFailure(commandOf('cat build.log | head -3', '3 failed'))).toBe(false);
  });

  it('where an exit code vouches for it and it only speaks of an error', () => {
    expect(saysFailure(commandOf('npm test', 'the error is shown in red'))).toBe(false);
  });
});

describe('a check', () => {
  it.each([
    'npm test',
    'npm run test:unit -- --watch=false',
    'pnpm -r build',
    'bundle exec rspec spec/models | tail -5',
    'npx mocha test/a.js',
    './vendor/bin/phpunit --filter Cart',
    'eslint src',
    'bundle exec rubocop',
    'mypy .',
    'ruff check .',
    'ctest --output-on-failure',
    'timeout 60 npm test',
    'time go test ./...',
    'sudo make check',
    'make',
    'docker compose exec web bin/rails test',
    'docker compose exec -T web pytest -q',
    'cd packages/core && npx tsc --noEmit',
    'CI=1 yarn lint',
    'python -m pytest tests/',
    'poetry run pytest',
    'cargo clippy',
    'mvn -q test | tail -20',
    './gradlew check',
  ])('is %s', (command) => {
    expect(isCheck({ command })).toBe(true);
  });

  it.each([
    'npm run dev',
    'docker run -it web',
    'go run ./cmd/serve',
    'cat src/check.ts',
    'git commit -m "run the tests"',
    'test -f build.log',
    'curl http://localhost:3000/test',
    'make migrate',
    'python etl.py',
    'cat > a.py <<EOF\nmake test\nEOF',
  ])('is not %s', (command) => {
    expect(isCheck({ command })).toBe(false);
  });
});
