import type { RunEvent, StoredEvent } from '@devs/core';
import type { TerminalNotice } from '../notice.js';

/** What an event of a run's stream says, in one line for people; nothing for what they need not see. */
export function sentenceOf({ type, data }: StoredEvent): string | undefined {
  const text = (name: string) => oneLine(String(data[name] ?? ''));
  switch (type as RunEvent['type'] | WorkflowType) {
    case 'workflow.started':
      return 'the workflow began';
    case 'step.completed':
      return `finished ${text('at')}`;
    case 'step.failed':
      return `gave up ${text('at')}: ${text('reason')}`;
    case 'tasks.set':
      return `set ${Array.isArray(data.tasks) ? data.tasks.length : 0} tasks for ${text('loop')}`;
    case 'context-action.requested':
      return `the step asks for /${text('action')}`;
    case 'context-action.observed':
      return `the context action is confirmed: ${text('evidence')}`;
    case 'context-action.abandoned':
      return `the context action was given up: ${text('reason')}`;
    case 'worktree.made':
      return `works in ${text('path')}`;
    case 'run.begun':
      return `supervised by ${text('by')}`;
    case 'run.paused':
      return `paused: ${text('why')}`;
    case 'turn-end.wanted':
      return `a fresh agent takes over after this step: ${text('why')}`;
    case 'stuck.noticed':
      return `stuck: ${text('detail')}`;
    case 'tools.missed':
      return `the agent is restarted: ${text('detail')}`;
    case 'budget.reached':
      return `budget reached: ${text('detail')}`;
    case 'escalation.raised':
      return `asks the user: ${text('question')}`;
    case 'escalation.answered':
      return `the user answered: ${text('answer')}`;
    case 'escalation.unanswered':
      return `the agent does not have the answer: ${text('why')}`;
    case 'check.ran':
      return `${Array.isArray(data.command) ? data.command.join(' ') : ''} ended with ${text('exitCode')}`;
    case 'commits.observed':
      return `${Array.isArray(data.commits) ? data.commits.length : 0} commits`;
    case 'run.finished':
      return `${text('outcome')}: ${text('detail')}`;
    case 'run.merged':
      return `merged into ${text('into')}`;
    default:
      return undefined;
  }
}

/** The same for what the terminal's supervisor tells. */
export function sentenceOfNotice(notice: TerminalNotice): string | undefined {
  switch (notice.kind) {
    case 'waiting':
      return `the agent waits: ${oneLine(notice.detail)}`;
    case 'escalated':
      return `the agent needs somebody: ${oneLine(notice.why)}`;
    case 'parked':
      return `waits for the provider until ${new Date(notice.until).toISOString()}: ${oneLine(notice.why)}`;
    case 'resumed':
      return 'the agent crashed and was resumed';
    case 'renewal-started':
      return `the agent is being renewed: ${notice.cause}`;
    case 'renewal-completed':
      return `the agent was renewed from a handoff of ${notice.handoffLength} characters`;
    case 'renewal-failed':
      return `the renewal failed: ${oneLine(notice.error)}`;
    case 'renewal-abandoned':
      return `the renewal was given up: ${oneLine(notice.reason)}`;
    case 'prompt-unconfirmed':
      return `a prompt may not have arrived: ${oneLine(notice.reason)}`;
    case 'left-to-agent':
      return `left to the agent's own compaction: ${oneLine(notice.why)}`;
    case 'lost':
      return `let go: ${oneLine(notice.why)}`;
    case 'trouble':
      return `trouble: ${oneLine(notice.detail)}`;
    default:
      return undefined;
  }
}

type WorkflowType =
  | 'workflow.started'
  | 'step.completed'
  | 'step.failed'
  | 'tasks.set'
  | 'context-action.requested'
  | 'context-action.observed'
  | 'context-action.abandoned';

const MOST_CHARS = 160;

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS - 1)}…` : line;
};
