import type { HandoffDocument, HandoffItem, HandoffOrigin, SectionId } from '../document/handoff-document.js';
import { shortCommand } from '../document/sections/command-items.js';
import { FINISHED, OPEN, titleOf } from '../document/sections/task-items.js';
import { code } from '../document/wording.js';
import type { GitEvidence } from '../evidence/git-evidence.js';
import type { Ledger } from '../ledger/ledger.js';
import { carryRequests } from './carry-requests.js';

type Items = Readonly<Record<SectionId, readonly HandoffItem[]>>;

/**
 * The items of this conversation with those of the handoff that it began from, as far as they are still open or still
 * hold. What was finished, and what only told how things stood then, is left behind; so handoffs do not pile up.
 */
export function carryOver(own: Items, earlier: HandoffDocument, ledger: Ledger, git: GitEvidence | undefined): Items {
  const from = { handoff: earlier.conversation.id ?? '' };
  const before = (id: SectionId) => earlier.sections.find((section) => section.id === id)?.items ?? [];
  const add = (id: SectionId, still: (item: HandoffItem) => boolean, { most, worth }: Carrying) => [
    ...own[id],
    ...before(id)
      .filter((item) => still(item) && !isTold(item, own[id]))
      .slice(0, most)
      .map((item, age) => carried(item, from, worth / (1 + age / 4))),
  ];
  return {
    ...own,
    request: carryRequests(own.request, before('request'), from),
    tasks: openFirst(add('tasks', (item) => isOpenStill(item, ledger), { most: 200, worth: OPEN_WORTH }).map(asTask)),
    done: add('done', () => true, { most: 8, worth: 3 }),
    decisions: add('decisions', ({ form }) => form === 'line', { most: 8, worth: 3 }),
    'changed-files':
      git === undefined
        ? add('changed-files', ({ form }) => form === 'line', { most: 20, worth: 3 }).map(asFile)
        : own['changed-files'],
    'other-files': add('other-files', ({ text }) => !own['changed-files'].some((item) => isSame(item, text)), {
      most: 8,
      worth: 1,
    }).map(asFile),
    commands: add('commands', () => true, { most: 6, worth: 2 }),
    errors: add('errors', (item) => !wentWellSince(item, ledger), { most: 10, worth: 6 }),
    failed: add('failed', () => true, { most: 6, worth: 2 }),
  };
}

interface Carrying {
  readonly most: number;
  readonly worth: number;
}

const OPEN_WORTH = 40;

const carried = ({ required: _, ...item }: HandoffItem, from: HandoffOrigin, worth: number): HandoffItem => ({
  ...item,
  from: [from],
  worth,
});

const isCarried = ({ from }: HandoffItem): boolean => from.some((origin) => 'handoff' in origin);

const asTask = (item: HandoffItem): HandoffItem =>
  isCarried(item)
    ? { ...item, text: item.text.replace(IN_PROGRESS, ''), detail: '', worth: OPEN_WORTH, required: true }
    : item;

const IN_PROGRESS = / \(in progress\)$/;

const openFirst = (items: readonly HandoffItem[]): readonly HandoffItem[] => [
  ...items.filter(({ text }) => !text.startsWith(FINISHED)),
  ...items.filter(({ text }) => text.startsWith(FINISHED)),
];

/** How often it was changed and when was said of another conversation; why it was, still holds. */
function asFile(item: HandoffItem): HandoffItem {
  if (!isCarried(item)) return item;
  const why = /; why: “[^”]*”$/.exec(`${item.text}${item.detail ?? ''}`)?.[0] ?? '';
  return { ...item, text: subjectOf(item.text), detail: `: in an earlier conversation${why}` };
}

/** Begins with the same words in back-ticks, or says the same. */
const isTold = (item: HandoffItem, own: readonly HandoffItem[]): boolean => own.some((one) => isSame(one, item.text));

const isSame = (one: HandoffItem, text: string): boolean => subjectOf(one.text) === subjectOf(text);

const subjectOf = (text: string): string => /^(?:`[^`]+`|`` .*? ``)/.exec(text)?.[0] ?? text;

const isOpenStill = ({ text }: HandoffItem, { tasks }: Ledger): boolean => {
  if (!text.startsWith(OPEN)) return false;
  const title = plain(text.slice(OPEN.length));
  return ![...tasks.values()].some((task) => plain(titleOf(task)) === title);
};

/** A title as another agent repeats it. */
const plain = (title: string): string =>
  title
    .replace(IN_PROGRESS, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const wentWellSince = ({ text }: HandoffItem, { commands }: Ledger): boolean => {
  const subject = subjectOf(text);
  return [...commands.values()].some(
    ({ command, outcome }) =>
      outcome === 'ok' && code(shortCommand(command)).startsWith(subject.replace(/ \[…\]`$/, '')),
  );
};
