import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../worktree.js';
import { createRecordSplitter } from '../record-splitter.js';
import { createStatusParser } from '../status-parser.js';

function parse(chunks: readonly Buffer[]) {
  const files: ChangedFile[] = [];
  const parser = createStatusParser({ onFile: (file) => files.push(file) });
  const splitter = createRecordSplitter(parser.add);
  for (const chunk of chunks) splitter.add(chunk);
  return { files, head: parser.head() };
}
const parseRecords = (...records: readonly string[]) =>
  parse([Buffer.from(records.map((record) => `${record}\0`).join(''))]);

const H = '0'.repeat(40);

describe('the status of git', () => {
  it.each([
    [['# branch.oid (initial)', '# branch.head main'], { branch: 'main' }],
    [[`# branch.oid ${H}`, '# branch.head (detached)'], { commit: H }],
    [['# branch.upstream o/a', '# branch.ab +2 -3'], { upstream: { name: 'o/a', ahead: 2, behind: 3 } }],
    [['# branch.upstream o/a', '# stash 2', '# something.new x'], { upstream: { name: 'o/a' } }],
    [['# branch.ab +2 -3'], {}],
  ])('begins with %j', (records, head) => {
    expect(parseRecords(...records).head).toEqual(head);
  });

  it.each<[readonly string[], readonly ChangedFile[]]>([
    [[`1 .M N... 100644 100644 100644 ${H} ${H} a b`], [{ path: 'a b', state: 'changed', unstaged: 'modified' }]],
    [[`1 AD N... 0 100644 0 ${H} ${H} a`], [{ path: 'a', state: 'changed', staged: 'added', unstaged: 'deleted' }]],
    [
      [`2 R. N... 1 1 1 ${H} ${H} R100 new`, 'old'],
      [{ path: 'new', from: 'old', state: 'changed', staged: 'renamed' }],
    ],
    [[`u UU N... 1 1 1 1 ${H} ${H} ${H} a`], [{ path: 'a', state: 'conflicted' }]],
    [['? a\nb'], [{ path: 'a\nb', state: 'untracked' }]],
    [
      [`1 .M SC.U 160000 160000 160000 ${H} ${H} lib`],
      [
        {
          path: 'lib',
          state: 'changed',
          unstaged: 'modified',
          submodule: { commitChanged: true, modified: false, untracked: true },
        },
      ],
    ],
    [['! ignored', 'z future', '', '1 .M cut off'], []],
  ])('reads %j', (records, files) => {
    expect(parseRecords(...records).files).toEqual(files);
  });

  it('does not depend on how the output was cut', () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => !text.includes('\0') && Buffer.from(text).toString() === text);
    const entry = fc.oneof(
      name.map((path) => ({ records: [`? ${path}`], file: { path, state: 'untracked' as const } })),
      name.map((path) => ({
        records: [`1 M. N... 1 1 1 ${H} ${H} ${path}`],
        file: { path, state: 'changed' as const, staged: 'modified' as const },
      })),
      fc.tuple(name, name).map(([path, from]) => ({
        records: [`2 R. N... 1 1 1 ${H} ${H} R90 ${path}`, from],
        file: { path, from, state: 'changed' as const, staged: 'renamed' as const },
      })),
    );
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 1, max: 40 }), (entries, size) => {
        const bytes = Buffer.from(entries.flatMap(({ records }) => records.map((record) => `${record}\0`)).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(parse(chunks).files).toEqual(entries.map(({ file }) => file));
      }),
      { numRuns: rounds(200), seed: seed() },
    );
  });

  it('never throws on arbitrary git output', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 })), (chunks) => {
        parse(chunks.map((chunk) => Buffer.from(chunk)));
      }),
      { numRuns: rounds(200), seed: seed() },
    );
  });
});

describe('the records of git', () => {
  it('are left out where they are too long, and the next one is read', () => {
    const records: string[] = [];
    const splitter = createRecordSplitter((record) => records.push(record));
    for (let index = 0; index < 3; index++) splitter.add(Buffer.alloc(700_000, 'x'));
    splitter.add(Buffer.from('\0next\0half'));
    expect(records).toEqual(['next']);
  });
});
