import { cutAtEnd } from '../../../text/cut-text.js';
import { type ReportedFile, reportedFiles } from '../../evidence/changed-files.js';
import { isLooking } from '../../evidence/checks.js';
import type { GitChange, GitEvidence } from '../../evidence/git-evidence.js';
import type { Ledger, LedgerFile } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, counted, oneLine, quoted, sentencesIn, times } from '../wording.js';

/** What the conversation changed and what git reports, as one list. The newest first: it is being worked on. */
export function changedFileItems(ledger: Ledger, git: GitEvidence | undefined): readonly HandoffItem[] {
  const reported = git === undefined ? [] : reportedFiles(git, new Set(ledger.files.keys()));
  const byPath = new Map(reported.map((file) => [file.path, file]));
  const reasons = new Set<string>();
  const told = newestFirst(ledger, ({ changes }) => changes > 0).map((file, age) => {
    const inGit = byPath.get(file.path);
    byPath.delete(file.path);
    const worth = 20 / (1 + age / 15);
    const item = fileItem(ledger, file, {
      worth,
      reasons,
      inGit: inGit === undefined ? settled(git, file) : inWords(inGit),
    });
    return inGit === undefined ? item : withGit(item);
  });
  return [...told, ...[...byPath.values()].map((file) => reportedItem(file, ledger)), ...uncounted(git)];
}

/** Unchanged by the conversation. Files that git reports as changed are listed among those. */
export function otherFileItems(ledger: Ledger, git: GitEvidence | undefined): readonly HandoffItem[] {
  const reported = new Set(
    git === undefined ? [] : reportedFiles(git, new Set(ledger.files.keys())).map(({ path }) => path),
  );
  const reasons = new Set<string>();
  return newestFirst(ledger, ({ changes, path }) => changes === 0 && !reported.has(path)).map((file, age) =>
    fileItem(ledger, file, { worth: 5 / (1 + age / 20), reasons, inGit: '' }),
  );
}

const newestFirst = ({ files }: Ledger, which: (file: LedgerFile) => boolean): readonly LedgerFile[] =>
  [...files.values()].filter(which).reverse();

interface FileTelling {
  readonly worth: number;
  /** Those that were told of files before it. */
  readonly reasons: Set<string>;
  readonly inGit: string;
}

const fileItem = ({ step }: Ledger, file: LedgerFile, { worth, reasons, inGit }: FileTelling): HandoffItem => ({
  form: 'line',
  text: code(file.path),
  detail: `: ${[describeChanges(file), describeReads(file), ago(step - file.step), inGit].filter((part) => part !== '').join(', ')}${reason(file, reasons)}`,
  from: [file.from],
  worth,
});

const withGit = (item: HandoffItem): HandoffItem => ({
  ...item,
  from: [...item.from, { git: 'status' }],
  required: true,
});

function describeChanges({ changes, how, changesSince, movedTo }: LedgerFile): string {
  if (changes === 0 || how === undefined) return '';
  if (how === 'written')
    return changesSince === 0 ? 'written whole' : `written whole, changed ${times(changesSince)} since`;
  if (how === 'moved' && movedTo !== undefined) return `moved to ${code(movedTo)}`;
  return how === 'edited' ? `edited ${times(changes)}` : how;
}

function describeReads({ reads, lines: last }: LedgerFile): string {
  if (reads === 0) return '';
  if (last === undefined) return reads === 1 ? 'read whole' : `read ${times(reads)}, last whole`;
  const lines = last.last === undefined ? `from line ${last.first} on` : `lines ${last.first}–${last.last}`;
  return reads === 1 ? `read ${lines}` : `read ${times(reads)}, last ${lines}`;
}

const ago = (steps: number) => (steps <= 1 ? 'just now' : `${steps} steps ago`);

/** What the agent said just before; of several files that it said it before, only the newest has it. */
function reason({ why }: LedgerFile, told: Set<string>): string {
  const last =
    why === undefined
      ? undefined
      : sentencesIn(why)
          .filter((sentence) => !sentence.endsWith('?'))
          .at(-1)
          ?.replace(/[:*\s]+$/, '');
  if (last === undefined || last.length < TELLING || LOOKING_FORWARD.test(last) || told.has(last)) return '';
  told.add(last);
  return `; why: ${quoted(last, 140)}`;
}

/** “Let me fix that.” is no reason. */
const TELLING = 30;
/** Nor is “Let me read it and see what it does.” */
const LOOKING_FORWARD =
  /^(?:(?:now|next|first|then|good|great|ok(?:ay)?|perfect|also),? )*(?:let me|I['’]ll|I will|I need to|let['’]s) (?:also |now |first |just )*(?:read|look|check|see|explore|view|find|search|examine|understand|verify|continue|start|begin)\b/i;

/** Changed by the conversation, and git does not report it. */
const settled = (git: GitEvidence | undefined, { path }: LedgerFile): string =>
  git === undefined || git.moreChanges > 0 || path.startsWith('/')
    ? ''
    : 'in git no longer changed (committed, undone or ignored)';

const reportedItem = (file: ReportedFile, ledger: Ledger): HandoffItem => ({
  form: 'line',
  text: code(file.path),
  detail: `: ${inWords(file)}, ${byWhom(file, ledger)}`,
  from: [{ git: 'status' }],
  worth: 3,
  required: true,
});

/** Commands change files, too, and a command does not show which. */
function byWhom({ path }: ReportedFile, { commands }: Ledger): string {
  const naming = [...commands.values()]
    .reverse()
    .find((command) => namesPath(command.command, path) && !isLooking(command));
  return naming === undefined
    ? "not changed with the agent's editing tools"
    : `named in ${code(cutAtEnd(oneLine(naming.command), MAX_COMMAND_LENGTH))}`;
}

const MAX_COMMAND_LENGTH = 100;

function namesPath(command: string, path: string): boolean {
  const at = command.indexOf(path);
  return at !== -1 && !/[\w.-]/.test(command[at - 1] ?? ' ') && !/[\w-]/.test(command[at + path.length] ?? ' ');
}

function inWords(file: ReportedFile): string {
  if ('changes' in file) return `${file.changes.length} files changed in git`;
  const { change } = file;
  const from = change.from === undefined ? '' : ` from ${code(change.from)}`;
  return `in git ${kindOf(change)}${from}${countsOf(change)}${change.staged !== undefined && change.unstaged === undefined ? ', staged' : ''}`;
}

function kindOf({ state, staged, unstaged }: GitChange): string {
  return oneLine(state === 'changed' ? (staged ?? unstaged ?? state) : state);
}

function countsOf({ lines }: GitChange): string {
  if (lines === undefined) return '';
  return lines === 'binary' ? ' (binary)' : ` (+${lines.added} −${lines.deleted})`;
}

function uncounted(git: GitEvidence | undefined): readonly HandoffItem[] {
  if (git === undefined || git.moreChanges === 0) return [];
  return [
    {
      form: 'line',
      text: `${counted(git.moreChanges, 'more changed file')} that \`git status\` lists`,
      from: [{ git: 'status' }],
      worth: 3,
      required: true,
    },
  ];
}
