import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { inboxItems, needsUser } from '../../fold/inbox.js';
import type { ProjectState } from '../../fold/project-fold.js';
import { criticalPath, type TaskSigns, type TaskView, taskViews } from '../../fold/task-graph.js';
import { heldTasks, servingMachines } from '../../fold/task-reasons.js';
import { usePage, usePageState } from '../../parts/page-context.js';
import { ProjectChoice, useProject } from '../../parts/project-choice.js';
import { Tabs } from '../../parts/tabs.js';
import { useAsked } from '../../parts/use-asked.js';
import { AddTask } from './add-task.js';
import { TaskActions } from './task-actions.js';

const TaskGraph = lazy(() => import('./task-graph-view.js'));
const TABS = { board: 'Board', graph: 'Graph' } as const;
const COLUMNS: readonly (readonly [TaskView['status'], string])[] = [
  ['pending', 'To do'],
  ['in_progress', 'In progress'],
  ['blocked', 'Blocked'],
  ['failed', 'Failed'],
  ['done', 'Done'],
];
const NOTHING: Partial<Readonly<Record<TaskView['status'], string>>> = {
  pending: 'Nothing is left to begin.',
  done: 'Nothing is done yet.',
};
const MOST = 60;

/** The queue as a plan with reasons. */
export default function Tasks() {
  const { session } = usePage();
  const { past, projects, terminals } = usePageState();
  const choice = useProject();
  const signs = useTaskSigns(choice.project);
  const [tab, setTab] = useState<keyof typeof TABS>('board');
  const tasks = choice.project?.tasks ?? new Map();
  const views = taskViews(tasks, signs);
  const answers = needsUser(inboxItems(projects, terminals)).flatMap((item) =>
    item.kind === 'question' && item.project === choice.project?.root && item.frees.length > 0 ? [item] : [],
  );
  const path = criticalPath(tasks);
  const mayChange = session.scope() === 'owner' && past === undefined && choice.project !== undefined;
  return (
    <>
      <div className="head">
        <h1>Tasks</h1>
        <ProjectChoice {...choice} />
      </div>
      {mayChange ? <AddTask project={choice.project?.root ?? ''} known={views.map(({ id }) => id)} /> : null}
      {answers.map(({ id, request, question, frees }) => (
        <p key={id} className="note" data-tone="warn">
          One answer sets {frees.length === 1 ? 'a task' : `${frees.length} tasks`} free ({frees.join(', ')}):{' '}
          <Link href="/inbox">
            {request}: {question}
          </Link>
        </p>
      ))}
      {path.length > 1 ? (
        <p className="note">
          Critical path: {path.join(' → ')}. Everything is done only after these {path.length}, one after another.
        </p>
      ) : null}
      <Tabs tabs={TABS} chosen={tab} onChoose={setTab} label="How to look at tasks" />
      {views.length === 0 ? (
        <section className="empty">
          <h2>No tasks yet</h2>
          <p>
            Add one above; <code>devs run --queue</code> takes them one after another.
          </p>
        </section>
      ) : tab === 'board' ? (
        <Board tasks={views} project={choice.project?.root ?? ''} mayChange={mayChange} />
      ) : (
        <Suspense fallback={<p className="quiet">Loading the graph …</p>}>
          <TaskGraph tasks={views} path={path} />
        </Suspense>
      )}
    </>
  );
}

interface BoardProps {
  readonly tasks: readonly TaskView[];
  readonly project: string;
  readonly mayChange: boolean;
}

const Board = ({ tasks, project, mayChange }: BoardProps) => (
  <div className="board" role="tabpanel" aria-label="Board">
    {COLUMNS.map(([status, title]) => {
      const inside = tasks.filter((task) => task.status === status);
      if (inside.length === 0 && status !== 'pending' && status !== 'done') return null;
      return (
        <section key={status} aria-label={title}>
          <h2>
            {title} <small className="quiet">{inside.length}</small>
          </h2>
          {inside.length === 0 ? <p className="quiet">{NOTHING[status]}</p> : null}
          {inside.slice(0, MOST).map((task) => (
            <TaskCard key={task.id} task={task} project={project} mayChange={mayChange} />
          ))}
          {inside.length > MOST ? <p className="quiet">{inside.length - MOST} more are in the graph.</p> : null}
        </section>
      );
    })}
  </div>
);

/** Why tasks wait, besides for each other: questions and limits of their runs, and labels that no machine has. */
function useTaskSigns(project: ProjectState | undefined): TaskSigns {
  const { store } = usePage();
  const { runs, terminals } = usePageState();
  const settings = useAsked('settings.get', project === undefined ? undefined : { project: project.root });
  if (project === undefined) return {};
  const held = heldTasks(project, { runs, terminals });
  if (settings.kind !== 'known') return { held };
  const at = (key: string) => settings.value.settings.find((setting) => setting.key === key)?.value;
  const labels = at('fleet.labels');
  const here = { labels: Array.isArray(labels) ? labels.map(String) : [], agents: [String(at('agent') ?? '')] };
  return { held, machines: [here, ...servingMachines(store.logOf(project.root)?.fold.events ?? [])] };
}

function TaskCard({
  task,
  project,
  mayChange,
}: {
  readonly task: TaskView;
  readonly project: string;
  readonly mayChange: boolean;
}) {
  return (
    <article className="card task" data-task={task.id}>
      <header>
        <code className="clip">{task.id}</code>
        {task.priority === 0 ? null : <small className="quiet">priority {task.priority}</small>}
      </header>
      <h3>{task.intent}</h3>
      <p className="why" title={task.why}>
        {task.why}
      </p>
      {task.frees > 0 && task.status !== 'done' ? (
        <p className="quiet">{task.frees === 1 ? '1 task waits' : `${task.frees} tasks wait`} for it.</p>
      ) : null}
      {mayChange ? <TaskActions task={task} project={project} /> : null}
    </article>
  );
}
