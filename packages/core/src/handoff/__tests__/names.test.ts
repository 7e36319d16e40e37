import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/index.js';
import { namesIn, shapeOf } from '../names.js';

describe('names in a text', () => {
  it.each([
    ['see src/cart/add-up.ts.', ['src/cart/add-up.ts']],
    ['call addUpCart and snake_case_name', ['addUpCart', 'snake_case_name']],
    ['upgrade to 12.4.1 from v11.2.0', ['12.4.1', 'v11.2.0']],
    [
      '/etc/nginx/nginx.conf, ~/.kube/config_prod and ../sibling/pkg.json',
      ['/etc/nginx/nginx.conf', '~/.kube/config_prod', '../sibling/pkg.json'],
    ],
    [
      '.github/workflows/ci.yml of @scope/my-pkg, not ./src/a.ts',
      ['.github/workflows/ci.yml', '@scope/my-pkg', 'src/a.ts'],
    ],
    [
      'https://example.com/v2/x and user@host.name/path and list.filterBy().mapValues()',
      ['example.com/v2/x', 'host.name/path', 'list.filterBy', 'mapValues'],
    ],
    ['a well-known sentence about Nothing', []],
    ['it took 0.395s at 0x1003dff53 on 2026-01-23T17:00', []],
  ])('%s', (text, names) => {
    expect([...namesIn(text)]).toEqual(names);
  });

  it('knows paths, members and hashes by their shape', () => {
    expect(['src/a.ts', 'fmt.Printf', '9b6bd9ecf6', 'addUpCart'].map(shapeOf)).toEqual([
      'path',
      'member',
      'hash',
      'plain',
    ]);
  });

  it('are what a regular expression would find', () => {
    const parts = fc.constantFrom(
      'a',
      'Zed',
      '7',
      '12.5',
      '_',
      '.',
      '/',
      '-',
      ' ',
      'é',
      '0x',
      'T',
      '2026-01-02',
      'foo',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), (words) => {
        const text = words.join('');
        expect([...namesIn(text)]).toEqual([...namesByExpression(text)]);
      }),
      { numRuns: rounds(1_000), seed: seed() },
    );
  });
});

/** What a name is, said in another way. */
function namesByExpression(text: string): Set<string> {
  const found = [...text.matchAll(/[A-Za-z0-9_][A-Za-z0-9_./-]{5,}/g)].map((match) => ({
    name: match[0].replace(/[./-]+$/, ''),
    before: text.slice(0, match.index),
  }));
  const leadOf = (before: string, name: string) => {
    const lead = /(?:^|[\s"'`=(,:[])([./~@]{1,12})$/.exec(before)?.[1]?.replace(/^(?:\.\/)+/, '') ?? '';
    return /^(?:~\/\.?|(?:\.\.\/)+)$/.test(lead) || (name.includes('/') && /^(?:\/\.?|(?:\.\.\/)+\.|\.|@)$/.test(lead))
      ? lead
      : '';
  };
  const isStructured = (name: string) =>
    (/[_/.]|[a-z][A-Z]|[A-Za-z][0-9]|[0-9][A-Za-z]/.test(name) && /[A-Za-z]/.test(name)) || /^\d+\.\d+\.\d+/.test(name);
  const isMeasure = (name: string) =>
    /^(?:\d[\d._]*[A-Za-z]{0,3}|0x[0-9A-Fa-f]+|\d{4}-\d\d-\d\dT.*)$/.test(name) && !/^\d+\.\d+\.\d+$/.test(name);
  return new Set(
    found
      .filter(({ name }) => name.length >= 6 && name.length <= 200 && isStructured(name) && !isMeasure(name))
      .map(({ name, before }) => `${leadOf(before, name)}${name}`),
  );
}
