import { describe, expect, it } from 'vitest';
import type { ChangedLines } from '../../worktree.js';
import { createNumstatParser } from '../numstat-parser.js';

function parse(...records: readonly string[]) {
  const files: [string, ChangedLines][] = [];
  const parser = createNumstatParser((path, lines) => files.push([path, lines]));
  for (const record of records) parser.add(record);
  return files;
}

describe('the line counts of git', () => {
  it.each<[readonly string[], ReturnType<typeof parse>]>([
    [['1\t2\ta b'], [['a b', { added: 1, deleted: 2 }]]],
    [['-\t-\tpicture.png'], [['picture.png', 'binary']]],
    [
      ['3\t0\t', 'old\tname', '1\t2\tnew name', '0\t1\tlast'],
      [
        ['1\t2\tnew name', { added: 3, deleted: 0 }],
        ['last', { added: 0, deleted: 1 }],
      ],
    ],
    [['1\t2\tline\nbreak'], [['line\nbreak', { added: 1, deleted: 2 }]]],
    [['', 'nonsense', 'x\ty\tz'], []],
  ])('read %j', (records, files) => {
    expect(parse(...records)).toEqual(files);
  });
});
