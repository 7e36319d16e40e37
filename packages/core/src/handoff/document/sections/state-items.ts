import type { Ledger, WaitingCall } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, isAnnouncement, quoted, sentencesIn } from '../wording.js';

/** What was going on when the conversation ended, and what the agent meant to do next. */
export function stateItems(ledger: Ledger): readonly HandoffItem[] {
  const { tasks, notes, waiting } = ledger;
  const inProgress = [...tasks.values()].filter(({ status }) => status === 'in_progress');
  return [
    ...inProgress.map(({ title, from }): HandoffItem => line(`In progress: ${title}`, from, 20)),
    ...[...waiting.values()].slice(-3).map((call): HandoffItem => line(describeWaiting(call), call.from, 12)),
    ...nextActions(notes),
    ...placeItem(ledger),
  ];
}

const line = (text: string, from: HandoffItem['from'][number], worth: number): HandoffItem => ({
  form: 'line',
  text,
  from: [from],
  worth,
});

function describeWaiting({ tool, actions }: WaitingCall): string {
  const [action] = actions;
  const what =
    action === undefined
      ? tool
      : action.kind === 'command'
        ? code(action.command.slice(0, 200))
        : `${tool} (${action.kind})`;
  return `Called, and no result seen: ${what}`;
}

/** The agent's own announcements, the newest first: what it was about to do. */
function nextActions(notes: Ledger['notes']): readonly HandoffItem[] {
  return notes
    .slice(-4)
    .reverse()
    .flatMap(({ text, from }, age) =>
      sentencesIn(text)
        .filter(isAnnouncement)
        .slice(-1)
        .map((sentence) =>
          line(`The agent announced: ${quoted(sentence.replace(/:$/, ''), 240)}`, from, 12 / (1 + 2 * age)),
        ),
    );
}

function placeItem({ notes, requests, place: { folder, branch } }: Ledger): readonly HandoffItem[] {
  const from = notes.at(-1)?.from ?? requests.at(-1)?.from;
  if (from === undefined || folder === undefined) return [];
  return [
    line(`The work is in ${code(folder)}${branch === undefined ? '' : `, on branch ${code(branch)}`}.`, from, 15),
  ];
}
