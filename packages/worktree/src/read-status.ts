import { type NotRead, whyNotRead } from './locate-worktree.js';
import { createRecordSplitter } from './parsing/record-splitter.js';
import { createStatusParser, type StatusHead } from './parsing/status-parser.js';
import type { Git } from './run-git.js';
import type { ChangedFile } from './worktree.js';

export type Status =
  | {
      readonly outcome: 'told';
      readonly head: StatusHead;
      readonly files: readonly ChangedFile[];
      readonly more: number;
    }
  | NotRead;

/** All changes, limited to `most` files: tracked and conflicted files before untracked ones. */
export async function readStatus(git: Git, most: number): Promise<Status> {
  const files: ChangedFile[] = [];
  let all = 0;
  const parser = createStatusParser({
    onFile(file) {
      all += 1;
      if (files.length < most) files.push(file);
      else if (file.state === 'conflicted') replaceLast(files, file);
    },
  });
  const splitter = createRecordSplitter(parser.add);
  const run = await git.run(
    ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=none'],
    splitter.add,
  );
  return whyNotRead(run) ?? { outcome: 'told', head: parser.head(), files, more: all - files.length };
}

/** git prints conflicts behind the other changes, and they matter most. */
function replaceLast(files: ChangedFile[], conflicted: ChangedFile): void {
  const place = files.findLastIndex(({ state }) => state !== 'conflicted');
  if (place !== -1) files[place] = conflicted;
}
