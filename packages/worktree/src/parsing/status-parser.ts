import type { ChangedFile, ChangeKind, SubmoduleState, Upstream } from '../worktree.js';

export interface StatusHead {
  readonly branch?: string;
  readonly commit?: string;
  readonly upstream?: Upstream;
}

export interface StatusListener {
  onFile(file: ChangedFile): void;
}

/**
 * Parses the records of `git status --porcelain=v2 --branch -z` one by one. Pure except for its callback. Skips
 * unknown kinds of records, which later versions may add.
 */
export function createStatusParser({ onFile }: StatusListener) {
  let head: StatusHead = {};
  /** Two records make a rename: the second is nothing but the old name. */
  let renamed: ChangedFile | undefined;
  return {
    add(record: string) {
      if (renamed !== undefined) {
        onFile({ ...renamed, from: record });
        renamed = undefined;
        return;
      }
      if (record.startsWith('# ')) head = { ...head, ...headPart(record, head) };
      else {
        const file = parseStatusFile(record);
        if (record.startsWith('2 ')) renamed = file;
        else if (file !== undefined) onFile(file);
      }
    },
    head: (): StatusHead => head,
  };
}

function headPart(record: string, { upstream }: StatusHead): StatusHead {
  const [, name = '', value = ''] = /^# branch\.(\S+) ([\s\S]*)$/.exec(record) ?? [];
  switch (name) {
    case 'oid':
      return value === '(initial)' ? {} : { commit: value };
    case 'head':
      return value === '(detached)' ? {} : { branch: value };
    case 'upstream':
      return { upstream: { name: value } };
    case 'ab': {
      const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? [];
      if (upstream === undefined || ahead === undefined || behind === undefined) return {};
      return { upstream: { ...upstream, ahead: Number(ahead), behind: Number(behind) } };
    }
    default:
      return {};
  }
}

/** Number of words before the path. */
const WORDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

/** One file; of a rename without the old name. */
function parseStatusFile(record: string): ChangedFile | undefined {
  const words = WORDS[record.charAt(0)];
  if (words === undefined || record.charAt(1) !== ' ') return undefined;
  const [kind, xy = '', submodule = '', ...rest] = record.split(' ');
  const path = kind === '?' ? record.slice(2) : rest.slice(words - 3).join(' ');
  if (path === '') return undefined;
  if (kind === '?') return { path, state: 'untracked' };
  const staged = KINDS[xy.charAt(0)];
  const unstaged = KINDS[xy.charAt(1)];
  const inside = submoduleState(submodule);
  return {
    path,
    state: kind === 'u' ? 'conflicted' : 'changed',
    // For a conflict, the two letters describe both sides, not the index.
    ...(kind === 'u' || staged === undefined ? {} : { staged }),
    ...(kind === 'u' || unstaged === undefined ? {} : { unstaged }),
    ...(inside === undefined ? {} : { submodule: inside }),
  };
}

const KINDS: Readonly<Record<string, ChangeKind>> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type-changed',
};

function submoduleState(field: string): SubmoduleState | undefined {
  if (!field.startsWith('S')) return undefined;
  return {
    commitChanged: field.charAt(1) === 'C',
    modified: field.charAt(2) === 'M',
    untracked: field.charAt(3) === 'U',
  };
}
