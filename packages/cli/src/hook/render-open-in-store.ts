import type { TaskPage, TaskRecord, WorkflowRun } from '@devs/core';

interface OpenInStore {
  readonly blocked: TaskPage;
  readonly inProgress: TaskPage;
  /** The active run. */
  readonly run: WorkflowRun | undefined;
}

/** A few lines, each about one thing; nothing where nothing is open. */
export function renderOpenInStore({ blocked, inProgress, run }: OpenInStore): string | undefined {
  const lines = [
    ...(run === undefined ? [] : [describeRun(run)]),
    ...blocked.tasks.map((task) => `- blocked: ${nameOf(task)}${because(task)}`),
    ...more(blocked, 'blocked'),
    ...inProgress.tasks.map((task) => `- in progress: ${nameOf(task)}`),
    ...more(inProgress, 'in progress'),
  ];
  return lines.length === 0 ? undefined : ['Open in the records of devs:', ...lines].join('\n');
}

const LONGEST = 90;

function describeRun({ template, state }: WorkflowRun): string {
  const task = state.task === undefined ? '' : `, task “${short(state.task.title)}”`;
  return `- the workflow “${short(template.name)}” is at step ${short(state.step)}${task}; the tool workflow_status says what to do`;
}

const nameOf = ({ id, intent }: TaskRecord): string => `${short(id)} “${short(intent)}”`;

const because = ({ reason }: TaskRecord): string => (reason === undefined ? '' : `: ${short(reason)}`);

const more = ({ tasks, total }: TaskPage, what: string): readonly string[] =>
  total > tasks.length ? [`- … and ${total - tasks.length} more ${what}`] : [];

/** In one line, so that nothing in it can pass for an instruction of its own. */
function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
