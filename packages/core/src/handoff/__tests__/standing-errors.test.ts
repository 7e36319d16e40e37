import { expect, it } from 'vitest';
import { standingErrors } from '../evidence/standing-errors.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { asked, eventsOf, ran } from './transcript.js';

/** What stands after a command failed and another one ran. */
const standingAfter = (failed: string, later: string, output: string) =>
  standingErrors(ledgerOf(eventsOf(asked('go'), ran(failed, 'error', 'failed'), ran(later, output)))).map(
    ({ key }) => key,
  );

it.each([
  ['gh pr create --fill', 'gh pr view 12', 'title: old'],
  ['kubectl apply -f deploy/api.yaml', 'kubectl apply -f deploy/db.yaml', 'configured'],
  ['docker compose up -d', 'docker compose ps', 'NAME'],
  ['npm test', 'npm test 2>&1 | tail -3', '3 tests failed'],
  ['npm test', 'npm test -- one', '1 passed'],
  ['npm test', 'npm run lint', ''],
  ['kubectl -n staging rollout status deploy/api', 'kubectl -n staging logs deploy/api', 'started'],
  ['go test ./...', 'go test ./a', 'ok  a'],
  ['pytest', 'pytest -k one', '1 passed'],
  ['python etl.py --date 2026-01-01', 'python etl.py --date 2026-01-02', 'wrote 10 rows'],
  ['cd api && npm test', 'cd web && npm test', '3 passed'],
  ['npm run build && npm test', 'npm run build', 'built'],
])('%s is not put right by %s', (failed, later, output) => {
  expect(standingAfter(failed, later, output)).toEqual([failed]);
});

it.each([
  ['npm test', 'npm test', '12 passed'],
  ['pytest -q', 'pytest -q 2>&1 | tail -3', '5 passed'],
  ['pytest tests/test_a.py::test_adds', 'python -m pytest tests/', '5 passed'],
  ['python etl.py --date 2026-01-01', 'python etl.py --date 2026-01-01 2>&1 | tail -5', 'wrote 10 rows'],
  ['go test ./a', 'go test ./...', 'ok  a'],
  ['go test ./a -run TestOne', 'go test -count=1 ./a', 'ok  a'],
  ['npm test -- add-up', 'npm test', '12 passed'],
  ['npm test', 'npm run test', '12 passed'],
  ['cd api && npm test', 'npm test | tail', '12 passed'],
  ['timeout 60 npm test', 'npm test', '12 passed'],
  ['docker compose up -d', 'docker compose up', 'started'],
  ['git commit -m "a"', 'git add . && git commit -m "b"', '[main 1a2b3c4] b'],
  ['npm run build && npm test', 'npm run build; npm test', '12 passed'],
])('%s is put right by %s', (failed, later, output) => {
  expect(standingAfter(failed, later, output)).toEqual([]);
});
