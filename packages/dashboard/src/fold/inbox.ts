import type { Terminal } from '@devs/api';
import { isUnfinished, openQuestions, type StoredEvent } from '@devs/core/folds';
import type { ProjectState } from './project-fold.js';

/** Something that only the user can settle. */
export type InboxItem =
  | {
      readonly kind: 'question';
      readonly id: string;
      readonly run: string;
      readonly project: string;
      readonly request: string;
      readonly question: string;
      readonly diagnosis: string;
      readonly at: number;
      /** On its way to the agent. */
      readonly answer?: string;
      readonly unseen?: { readonly answer: string; readonly why: string; readonly isTyped: boolean };
      readonly terminal?: string;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'terminal';
      readonly id: string;
      readonly terminal: string;
      readonly run?: string;
      readonly need: string;
      readonly detail: string;
      readonly screen?: string;
      readonly until?: number;
    };

/** What was recorded before the question was asked. */
export interface Evidence {
  /** The signs that it was stuck: the same failing action, the same error, no progress. */
  readonly stuck: readonly { readonly at: number; readonly kind: string; readonly detail: string }[];
  readonly failedSteps: readonly { readonly at: number; readonly step: string; readonly reason: string }[];
  readonly failedChecks: readonly { readonly at: number; readonly command: string; readonly tail: string }[];
}

/** Questions of runs, oldest first, then terminals that wait. Pure. */
export function inboxItems(projects: readonly ProjectState[], terminals: readonly Terminal[]): readonly InboxItem[] {
  const questions = projects.flatMap(({ root, runs }) =>
    openQuestions([...runs.values()].map(({ facts }) => facts).filter(isUnfinished)).map((question): InboxItem => {
      const { id, run, question: asked, diagnosis, at, answer, unseen } = question;
      return {
        kind: 'question',
        id,
        run: run.id,
        project: root,
        request: run.plan?.request ?? '',
        question: asked,
        diagnosis,
        at,
        ...(answer === undefined ? {} : { answer }),
        ...(unseen === undefined ? {} : { unseen }),
        ...(run.begun === undefined ? {} : { terminal: run.begun.terminal }),
        evidence: evidenceOf(runs.get(run.id)?.events ?? []),
      };
    }),
  );
  const asking = new Set(questions.flatMap((item) => (item.run === undefined ? [] : [item.run])));
  return [...questions.sort((a, b) => atOf(a) - atOf(b)), ...terminals.flatMap((one) => waiting(one, asking))];
}

/** Those that the user has not answered yet. */
export const needsUser = (items: readonly InboxItem[]): readonly InboxItem[] =>
  items.filter((item) => item.kind === 'terminal' || item.answer === undefined);

const atOf = (item: InboxItem): number => (item.kind === 'question' ? item.at : 0);

/** A terminal whose run has asked already is not told twice. */
function waiting({ name, run, needs }: Terminal, asking: ReadonlySet<string>): readonly InboxItem[] {
  if (needs === undefined || needs.kind === 'escalated' || (run !== undefined && asking.has(run))) return [];
  const { kind: need, detail, screen, until } = needs;
  return [
    {
      kind: 'terminal',
      id: `terminal:${name}`,
      terminal: name,
      need,
      detail,
      ...(run === undefined ? {} : { run }),
      ...(screen === undefined ? {} : { screen }),
      ...(until === undefined ? {} : { until }),
    },
  ];
}

const MOST = 6;

/** Since the last step that was done. */
function evidenceOf(events: readonly StoredEvent[]): Evidence {
  const since = events.findLastIndex(({ type }) => type === 'step.completed');
  const recent = events.slice(since + 1);
  const text = (event: StoredEvent, key: string) => String(event.data[key] ?? '');
  const of = (type: string) => recent.filter((event) => event.type === type).slice(-MOST);
  return {
    stuck: of('stuck.noticed').map((event) => ({
      at: event.at,
      kind: text(event, 'kind'),
      detail: text(event, 'detail'),
    })),
    failedSteps: of('step.failed').map((event) => ({
      at: event.at,
      step: text(event, 'at'),
      reason: text(event, 'reason'),
    })),
    failedChecks: of('check.ran')
      .filter(({ data }) => data.exitCode !== 0)
      .map((event) => ({
        at: event.at,
        command: Array.isArray(event.data.command) ? event.data.command.join(' ') : '',
        tail: text(event, 'tail'),
      })),
  };
}
