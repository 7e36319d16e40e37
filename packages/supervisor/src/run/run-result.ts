import type { RunFacts, RunOutcome, WorkflowRun } from '@devs/core';

export interface RunResult {
  readonly outcome: RunOutcome;
  readonly detail: string;
  /** For the queue, and for the prompts of the tasks that follow: what came of it, with the evidence. */
  readonly result: string;
}

const MAX_OUTPUT = 1_200;
const MAX_COMMITS = 10;

/** Pure: what a run that has come to its end came to. */
export function resultOf({ state }: WorkflowRun, { commits, checks, left = [] }: RunFacts): RunResult {
  const broken = checks.find(({ exitCode }) => exitCode !== 0);
  const evidence = [
    ...(commits.length === 0
      ? []
      : [
          `Commits: ${commits
            .slice(0, MAX_COMMITS)
            .map(({ hash, subject }) => `${hash.slice(0, 8)} ${subject}`)
            .join('; ')}${commits.length > MAX_COMMITS ? ` and ${commits.length - MAX_COMMITS} more` : ''}`,
        ]),
    ...(checks.length === 0
      ? []
      : [
          `Checks: ${checks.map(({ command, exitCode }) => `${command.join(' ')} ${exitCode === 0 ? 'passed' : `ended with ${exitCode}`}`).join('; ')}`,
        ]),
  ];
  const output = Object.values(state.outputs).at(-1)?.trim() ?? '';
  const said = output.length > MAX_OUTPUT ? `${output.slice(0, MAX_OUTPUT)}…` : output;
  const result = [said, ...evidence].filter((part) => part !== '').join('\n');
  if (state.status === 'failed') {
    const { at = '', reason = '' } = state.failure ?? {};
    return { outcome: 'failed', detail: `the workflow failed at ${at}: ${reason}`, result };
  }
  if (broken !== undefined)
    return {
      outcome: 'failed',
      detail: `the workflow is complete, but ${broken.command.join(' ')} ended with ${broken.exitCode}`,
      result,
    };
  const [first] = left;
  const more = left.length > 1 ? ` and ${left.length - 1} more` : '';
  const missing = first === undefined ? '' : `; not on its branch: ${first.what} (${first.why})${more}`;
  return { outcome: 'done', detail: `the workflow is complete${missing}`, result };
}
