import { describeEvent, type StoredEvent } from '@devs/core';
import { describeNotice, type TerminalNotice } from '../notice.js';
import type { SuperviseRequest } from '../supervised-terminal.js';
import type { RunStatus } from './run.js';

const MAX_NOTES = 50;
const MAX_CHARS = 160;

/** The events of a run that its followers see in one line. */
const NOTED: ReadonlySet<string> = new Set([
  'workflow.started',
  'step.completed',
  'step.failed',
  'tasks.set',
  'context-action.requested',
  'context-action.observed',
  'context-action.abandoned',
  'worktree.made',
  'run.begun',
  'run.paused',
  'turn-end.wanted',
  'stuck.noticed',
  'tools.missed',
  'budget.reached',
  'escalation.raised',
  'escalation.answered',
  'escalation.unanswered',
  'check.ran',
  'commits.observed',
  'run.finished',
  'run.merged',
]);

/** The notices of its terminal that the events of the run do not say. */
const UNNOTED: ReadonlySet<TerminalNotice['kind']> = new Set(['pressure', 'done', 'context-action-abandoned']);

/** The last sentences about a run, for viewers. */
export class RunNotes {
  readonly last: RunStatus['last'][number][] = [];

  constructor(private readonly request: Pick<SuperviseRequest, 'onChange'>) {}

  event(event: StoredEvent): void {
    if (NOTED.has(event.type)) this.add(describeEvent(event), event.at);
  }

  notice(notice: TerminalNotice, at: number): void {
    if (!UNNOTED.has(notice.kind)) this.add(`the agent ${describeNotice(notice, isoTime)}`, at);
  }

  add(text: string, at: number): void {
    const line = oneLine(text);
    if (line !== this.last.at(-1)?.text) this.last.push({ at, text: line });
    if (this.last.length > MAX_NOTES) this.last.shift();
    this.request.onChange?.();
  }
}

const isoTime = (at: number): string => new Date(at).toISOString();

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
};
