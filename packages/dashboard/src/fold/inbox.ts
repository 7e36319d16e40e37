import type { Terminal } from '@devs/api';
import { isUnfinished, openQuestions, type StoredEvent } from '@devs/core/folds';
import type { ProjectState } from './project-fold.js';
import { stepSpans } from './step-spans.js';
import { freedByAnswer } from './task-reasons.js';

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
      /** What the step has used so far: another try costs about as much. */
      readonly spent?: { readonly tokens: number; readonly costUsd?: number };
      /** Tasks that begin after the one of this run. */
      readonly frees: readonly string[];
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

/** What a dialog of the agent offers, as its numbered lines say: each is answered with its number. Pure. */
export const choicesIn = (diagnosis: string): readonly { readonly key: string; readonly label: string }[] =>
  [...diagnosis.matchAll(/^(\d)\. (.{1,80})$/gm)].map(([, key = '', label = '']) => ({ key, label }));

/** The line of a dialog that takes single keys, as its `[y]es / [n]o` says; no words of the agent. Pure. */
export const dialogLine = (diagnosis: string): string | undefined =>
  diagnosis
    .replace(/\nIts last words:\n[\s\S]*$/, '')
    .split('\n')
    .findLast((line) => /\[\w\]\w* \/ /.test(line))
    ?.trim();

/** What a dialog takes as single keys. Pure. */
export function keysIn(diagnosis: string): readonly { readonly key: string; readonly label: string }[] {
  return [...(dialogLine(diagnosis) ?? '').matchAll(/\[(\w)\](\w*)/g)].map(([, key = '', rest = '']) => ({
    key,
    label: `${key.toUpperCase()}${rest}`,
  }));
}

/** The diagnosis without the numbered lines that are shown as buttons. Pure. */
export const withoutChoices = (diagnosis: string): string => {
  if (choicesIn(diagnosis).length < 2) return diagnosis;
  const lines = diagnosis.split('\n').filter((line) => !/^\d\. |^Answer with a number/.test(line));
  return lines.join('\n').trim();
};

/** What was recorded before the question was asked. */
export interface Evidence {
  /** The signs that it was stuck: the same failing action, the same error, no progress. */
  readonly stuck: readonly { readonly at: number; readonly kind: string; readonly detail: string }[];
  readonly failedSteps: readonly { readonly at: number; readonly step: string; readonly reason: string }[];
  readonly failedChecks: readonly { readonly at: number; readonly command: string; readonly tail: string }[];
  /** The commit at which the last step was done: what came later is not known to be right. */
  readonly rightAt?: string;
}

/** Questions of runs, oldest first, then terminals that wait. Pure. */
export function inboxItems(projects: readonly ProjectState[], terminals: readonly Terminal[]): readonly InboxItem[] {
  const questions = projects.flatMap((project) => {
    const { root, runs } = project;
    return openQuestions([...runs.values()].map(({ facts }) => facts).filter(isUnfinished)).map(
      (question): InboxItem => {
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
          ...spentOf(runs.get(run.id)?.events ?? []),
          frees: freedByAnswer(project, run.id),
        };
      },
    );
  });
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

/** By the step that is not over yet. */
function spentOf(events: readonly StoredEvent[]): Pick<Extract<InboxItem, { kind: 'question' }>, 'spent'> {
  const step = stepSpans(events).at(-1);
  if (step === undefined || step.to !== undefined) return {};
  const { inputTokens, outputTokens, costUsd } = step;
  return { spent: { tokens: inputTokens + outputTokens, ...(costUsd === undefined ? {} : { costUsd }) } };
}

const MOST = 6;

/** Since the last step that was done. */
function evidenceOf(events: readonly StoredEvent[]): Evidence {
  const since = events.findLastIndex(({ type }) => type === 'step.completed');
  const recent = events.slice(since + 1);
  const text = (event: StoredEvent, key: string) => String(event.data[key] ?? '');
  const of = (type: string) => recent.filter((event) => event.type === type).slice(-MOST);
  const rightAt = events.slice(0, since + 1).findLast(({ type }) => type === 'head.observed')?.data.commit;
  return {
    ...(typeof rightAt === 'string' ? { rightAt } : {}),
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
