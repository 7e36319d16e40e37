import type { RunReport } from '@devs/core';
import type { RunProcess, RunProject } from './run-project.js';

/** What still runs, though nothing of the run should. */
export const orphansOf = (project: RunProject): readonly RunProcess[] =>
  project.processes().filter(({ kind }) => kind !== 'host' && kind !== 'supervisor');

/** What a run of the sample committed, as `hash subject`. */
export function commitsOf(project: RunProject, report: RunReport) {
  const commits = project
    .git('log', '--reverse', '--format=%h %s', '--abbrev=10', `main..${report.worktree?.branch ?? ''}`)
    .trim()
    .split('\n');
  const repeated = repeatedIn(commits);
  /** Those that no agent was told of. */
  const unnamed = repeated.filter((commit) => !project.requests().some((text) => text.includes(`commit ${commit}`)));
  return { commits, repeated, unnamed };
}

/** Commits whose subject comes again later. */
function repeatedIn(commits: readonly string[]): readonly string[] {
  const subjectOf = (commit: string) => commit.slice(commit.indexOf(' '));
  return commits.filter((commit, at) => commits.slice(at + 1).some((later) => subjectOf(later) === subjectOf(commit)));
}
