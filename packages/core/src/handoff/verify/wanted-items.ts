import { type HandoffSources, redacted } from '../document/build-document.js';
import type { HandoffItem, SectionId } from '../document/handoff-document.js';
import { changedFileItems } from '../document/sections/file-items.js';
import { gitItems } from '../document/sections/git-items.js';
import { lastRequestItems } from '../document/sections/request-items.js';
import { claimItems } from '../document/sections/state-items.js';
import { openTaskItems } from '../document/sections/task-items.js';
import { errorItems } from '../document/sections/trouble-items.js';
import { setHandoffsApart } from '../earlier/set-handoffs-apart.js';
import type { Ledger } from '../ledger/ledger.js';

/** What really happened, as far as it can be checked without trusting the agent. */
export interface HandoffEvidence extends Pick<HandoffSources, 'git'> {
  readonly ledger: Ledger;
}

type Wanted =
  | 'last-request'
  | 'open-task'
  | 'changed-file'
  | 'unresolved-error'
  | 'unfinished-operation'
  | 'unproven-claim';

/** Something that a handoff must say; `item` says it. */
export interface WantedItem {
  readonly what: Wanted;
  readonly section: SectionId;
  readonly item: HandoffItem;
}

/** Everything that a handoff must say. Redacted and required: it must be seen, and must not bring a secret in. */
export function wantedItems({ ledger: conversation, git }: HandoffEvidence): readonly WantedItem[] {
  const { ledger } = setHandoffsApart(conversation);
  const want = (what: Wanted, section: SectionId, items: readonly HandoffItem[]): readonly WantedItem[] =>
    items.map((item) => ({ what, section, item: { ...redacted(item), required: true } }));
  return [
    ...want('last-request', 'request', lastRequestItems(ledger)),
    ...want('open-task', 'tasks', openTaskItems(ledger)),
    ...want(
      'changed-file',
      'changed-files',
      changedFileItems(ledger, git).filter(({ required }) => required),
    ),
    ...want(
      'unresolved-error',
      'errors',
      errorItems(ledger).filter(({ required }) => required),
    ),
    ...want(
      'unfinished-operation',
      'state',
      gitItems(ledger, git).filter(({ required }) => required),
    ),
    ...want('unproven-claim', 'state', claimItems(ledger, git)),
  ];
}
