import type { GitEvidence } from '../../evidence/git-evidence.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { LABELS } from '../labels.js';
import { code, counted, quoted } from '../wording.js';

/** What is begun and not finished in git, and what is not committed. */
export function gitItems({ place }: Ledger, git: GitEvidence | undefined): readonly HandoffItem[] {
  if (git === undefined) return [];
  return [...operationItem(git), ...statusItem(git, place.branch)];
}

function operationItem({ operation, changes }: GitEvidence): readonly HandoffItem[] {
  if (operation === undefined) return [];
  const conflicted = changes.filter(({ state }) => state === 'conflicted').length;
  const branch = operation.branch === undefined ? '' : ` of ${code(operation.branch)}`;
  return [
    {
      form: 'line',
      text: `In git a ${operation.kind}${branch} is in progress${conflicted === 0 ? '' : `, with conflicts in ${counted(conflicted, 'file')}`}`,
      from: [{ git: 'status' }],
      worth: 30,
      required: true,
    },
  ];
}

function statusItem(
  { branch, upstream, changes, moreChanges }: GitEvidence,
  was: string | undefined,
): readonly HandoffItem[] {
  const on = branch === undefined ? 'no branch is checked out' : `the branch is ${code(branch)}`;
  const changed =
    was !== undefined && branch !== undefined && was !== branch ? ` (the conversation ended on ${code(was)})` : '';
  const all = changes.length + moreChanges;
  const open =
    all === 0 ? 'nothing is uncommitted' : `${counted(all, 'file')} ${all === 1 ? 'is' : 'are'} not committed`;
  return [
    {
      form: 'line',
      text: `In git ${on}${changed}${ahead(upstream)}; ${open}.`,
      from: [{ git: 'status' }],
      worth: 16,
    },
  ];
}

function ahead(upstream: GitEvidence['upstream']): string {
  if (upstream === undefined) return '';
  const { name, ahead: own = 0, behind = 0 } = upstream;
  if (own === 0 && behind === 0) return `, level with ${code(name)}`;
  const parts = [own > 0 ? `${own} ahead` : '', behind > 0 ? `${behind} behind` : ''].filter((part) => part !== '');
  return `, ${parts.join(' and ')} of ${code(name)}`;
}

/** Commits since the conversation began matter most: they are its work. */
export function commitItems({ firstRequest }: Ledger, git: GitEvidence | undefined): readonly HandoffItem[] {
  const began = Date.parse(firstRequest?.from.at ?? '');
  return (git?.commits ?? []).map(({ hash, subject, at }, age): HandoffItem => {
    const isOwn = Date.parse(at) >= began;
    return {
      form: 'line',
      text: `${code(hash.slice(0, SHORT_HASH))} ${quoted(subject, 120)}`,
      detail: isOwn ? ' (since this conversation began)' : '',
      label: LABELS.commits,
      from: [{ git: 'log' }],
      worth: (isOwn ? 8 : 2) / (1 + age / 4),
    };
  });
}

const SHORT_HASH = 10;
