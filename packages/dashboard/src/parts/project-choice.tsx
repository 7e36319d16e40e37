import { useState } from 'react';
import type { ProjectState } from '../fold/project-fold.js';
import { baseName } from '../words/numbers.js';
import { usePageState } from './page-context.js';

const KEY = 'devs.project';

/** The project of a view: the last chosen, or the one with the latest event. */
export function useProject(): {
  readonly project: ProjectState | undefined;
  readonly projects: readonly ProjectState[];
  choose(root: string): void;
} {
  const { projects } = usePageState();
  const [root, setRoot] = useState(() => sessionStorage.getItem(KEY));
  const newest = [...projects].sort((a, b) => (b.at ?? 0) - (a.at ?? 0))[0];
  return {
    project: projects.find((one) => one.root === root) ?? newest,
    projects,
    choose(next) {
      sessionStorage.setItem(KEY, next);
      setRoot(next);
    },
  };
}

export function ProjectChoice({
  project,
  projects,
  choose,
}: Pick<ReturnType<typeof useProject>, 'project' | 'projects' | 'choose'>) {
  if (projects.length < 2) return <p className="quiet clip">{project?.root ?? 'no project yet'}</p>;
  return (
    <select
      className="project-choice"
      aria-label="Project"
      value={project?.root ?? ''}
      onChange={({ target }) => choose(target.value)}
    >
      {projects.map(({ root }) => (
        <option key={root} value={root}>
          {baseName(root)} · {root}
        </option>
      ))}
    </select>
  );
}
