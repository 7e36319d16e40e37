import type { ChangedLines } from '../worktree.js';

/** Understands the records of `git diff --numstat -z`, one after the other. */
export function createNumstatParser(onFile: (path: string, lines: ChangedLines) => void) {
  /** After a record without a path come the old and the new name. */
  let renamed: { readonly lines: ChangedLines; readonly names: number } | undefined;
  return {
    add(record: string) {
      if (renamed !== undefined) {
        if (renamed.names === 1) onFile(record, renamed.lines);
        renamed = renamed.names === 1 ? undefined : { ...renamed, names: 1 };
        return;
      }
      const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(record) ?? [];
      if (added === undefined || deleted === undefined || path === undefined) return;
      const lines: ChangedLines = added === '-' ? 'binary' : { added: Number(added), deleted: Number(deleted) };
      if (path === '') renamed = { lines, names: 2 };
      else onFile(path, lines);
    },
  };
}
