import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';

const rows = readFileSync(join(repoRoot, 'docs', 'security.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:#|-+|attack|what) /.test(line));
// A renamed package leaves its build behind in older checkouts.
const packages = readdirSync(join(repoRoot, 'packages')).filter((name) =>
  existsSync(join(repoRoot, 'packages', name, 'src')),
);
const tests = packages.flatMap((name) =>
  readdirSync(join(repoRoot, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('/', name, 'src', file)),
);

describe('the table of attacks', () => {
  it('names a test in each row', () => {
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((row) => !/\.test\.ts`|the same file/.test(row))).toEqual([]);
  });

  it('names only tests that are there', () => {
    const named = rows.flatMap((row) => [...row.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file));
    expect(named.filter((file) => !tests.some((test) => test.endsWith(`/${file}`)))).toEqual([]);
  });
});
