import { cutShort } from '../../../text/cut-text.js';
import { changedAfter, lastCheck, saysFailure } from '../../evidence/checks.js';
import type { GitEvidence } from '../../evidence/git-evidence.js';
import { unprovenClaims } from '../../evidence/unproven-claims.js';
import type { Ledger, LedgerCommand, WaitingCall } from '../../ledger/ledger.js';
import { relativePath } from '../../relative-text.js';
import type { HandoffItem, ItemOrigin } from '../handoff-document.js';
import { code, counted, isIntention, quoted, sentencesIn } from '../wording.js';
import { shortCommand } from './command-items.js';
import { gitItems } from './git-items.js';

/** The situation at the end of the conversation, and the agent's next intention. */
export function stateItems(ledger: Ledger, git: GitEvidence | undefined): readonly HandoffItem[] {
  const { tasks, waiting } = ledger;
  const inProgress = [...tasks.values()].filter(({ status }) => status === 'in_progress');
  return [
    ...inProgress.map(({ title, from }) => line(`In progress: ${quoted(title, 240)}`, from, 20)),
    ...sinceLastRequest(ledger),
    ...[...waiting.values()].slice(-3).map((call) => line(describeWaiting(call), call.from, 12)),
    ...openQuestion(ledger),
    ...nextAction(ledger),
    ...checkItem(ledger),
    ...claimItems(ledger, git),
    ...gitItems(ledger, git),
    ...placeItem(ledger, git),
  ];
}

const line = (text: string, from: ItemOrigin, worth: number): HandoffItem => ({
  form: 'line',
  text,
  from: [from],
  worth,
});

function sinceLastRequest(ledger: Ledger): readonly HandoffItem[] {
  const last = ledger.requests.at(-1);
  if (last === undefined) return [];
  if (ledger.step === last.step) return [line('The last request has not been worked on yet.', last.from, 14)];
  const files = changedAfter(ledger, last.step);
  const steps = ledger.step - last.step;
  const changed =
    files.length === 0
      ? 'changed no file with its editing tools'
      : `changed ${files.slice(0, MAX_FILES).map(code).join(', ')}${files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : ''}`;
  const { commands: ran, failed } = ledger.since;
  const commands = `ran ${ran === 0 ? 'no command' : `${counted(ran, 'command')}${failed === 0 ? '' : ` (${failed} failed)`}`}`;
  return [
    line(`Since the last request the agent took ${counted(steps, 'step')}, ${changed} and ${commands}.`, last.from, 14),
  ];
}

const MAX_FILES = 6;

function describeWaiting({ tool, actions }: WaitingCall): string {
  const [action] = actions;
  const what =
    action === undefined
      ? tool
      : action.kind === 'command'
        ? code(cutShort(action.command, 200))
        : action.kind === 'change' || action.kind === 'read'
          ? `${tool} of ${code(action.path)}`
          : `${tool} (${action.kind})`;
  return `No result yet: ${what}`;
}

/** The agent asked the user a question at the end, without an answer. */
function openQuestion({ notes, requests }: Ledger): readonly HandoffItem[] {
  const last = notes.at(-1);
  if (last === undefined || last.step < (requests.at(-1)?.step ?? 0)) return [];
  const question = sentencesIn(last.text).at(-1);
  return question?.endsWith('?')
    ? [line(`Unanswered question from the agent: ${quoted(question, 240)}`, last.from, 16)]
    : [];
}

/**
 * The agent's last announcement. It was about to do it only if nothing succeeded since; otherwise its later actions
 * are beside it, so that nothing is done twice.
 */
function nextAction(ledger: Ledger): readonly HandoffItem[] {
  const last = ledger.notes.at(-1);
  const announced =
    last === undefined
      ? undefined
      : sentencesIn(last.text).findLast(
          (sentence) => isIntention(sentence) && sentence.length >= MIN_ANNOUNCEMENT_LENGTH,
        );
  if (last === undefined || announced === undefined) return [];
  const words = quoted(announced.replace(/[:*\s]+$/, ''), 240);
  if (ledger.lastDone < last.step) return [line(`The agent was about to: ${words}`, last.from, 12)];
  return [line(`The agent said: ${words}, and since then ${doneAfter(ledger, last.step)}`, last.from, 10)];
}

/** “I'll need to:” announces nothing. */
const MIN_ANNOUNCEMENT_LENGTH = 20;

function doneAfter(ledger: Ledger, step: number): string {
  const changed = changedAfter(ledger, step);
  const ran = [...ledger.commands.values()].filter((command) => command.step > step && command.outcome !== 'refused');
  const parts = [
    ...changed.slice(0, MAX_DONE).map((path) => `changed ${code(path)}`),
    ...ran.slice(-MAX_DONE).map((command) => `ran ${code(shortCommand(command.command))} (${outcomeOf(command)})`),
  ];
  const steps = counted(ledger.step - step, 'step');
  return parts.length === 0 ? `took ${steps} and changed nothing.` : `${parts.join(', ')}.`;
}

const MAX_DONE = 3;

/** How the result is checked, and whether that still holds. */
function checkItem(ledger: Ledger): readonly HandoffItem[] {
  const check = lastCheck(ledger);
  if (check === undefined) return [];
  const since = changedAfter(ledger, check.step).length;
  const stale =
    since === 0 ? '' : `; ${since === 1 ? 'a file was' : `${since} files were`} changed since, so run it again`;
  const where = check.folder === undefined ? '' : ` in ${code(check.folder)}`;
  return [
    line(`Checked last with ${code(shortCommand(check.command))}${where}: ${outcomeOf(check)}${stale}.`, check.from, 9),
  ];
}

const outcomeOf = (check: LedgerCommand): string =>
  check.outcome === 'running'
    ? 'still running'
    : check.outcome === 'failed'
      ? 'it failed'
      : saysFailure(check)
        ? 'its output reports failures'
        : 'ok';

export function claimItems(ledger: Ledger, git: GitEvidence | undefined): readonly HandoffItem[] {
  return unprovenClaims(ledger, git).map(({ claim, by, lack, from }) => ({
    form: 'line',
    text: `Not proven: ${by === 'task' ? 'the task is marked as finished' : 'the agent said'} ${quoted(claim, 200)}`,
    detail: `, but ${lack}`,
    from: [from],
    worth: 14,
    required: true,
  }));
}

/** git knows better which branch it is. */
function placeItem(ledger: Ledger, git: GitEvidence | undefined) {
  const { notes, requests } = ledger;
  const { folder, branch, shellFolder = folder } = ledger.place;
  const from = notes.at(-1)?.from ?? requests.at(-1)?.from;
  if (from === undefined || folder === undefined) return [];
  const on = branch === undefined || git !== undefined ? '' : `, on branch ${code(branch)}`;
  const shell =
    shellFolder === folder ? '' : `; the shell was last in ${code(relativePath(shellFolder ?? '', folder))}`;
  return [line(`The work is in ${code(folder)}${on}${shell}.`, from, 15)];
}
