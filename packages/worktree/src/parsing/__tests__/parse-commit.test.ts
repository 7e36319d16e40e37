import { describe, expect, it } from 'vitest';
import { parseCommit } from '../parse-commit.js';

const HASH = 'ab'.repeat(20);

describe('a commit in the log', () => {
  it.each([
    [`${HASH} 1767323045 Fix it: "a | b"`, 'Fix it: "a | b"'],
    [`${HASH} 1767323045 `, ''],
    [`${HASH} 1767323045`, ''],
  ])('is read from %j', (record, subject) => {
    expect(parseCommit(record)).toEqual({ hash: HASH, subject, at: '2026-01-02T03:04:05.000Z' });
  });

  it.each(['', 'gpg: Signature made', HASH, `${HASH} soon Fix it`])('is none in %j', (record) => {
    expect(parseCommit(record)).toBeUndefined();
  });
});
