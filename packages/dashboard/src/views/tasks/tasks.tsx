import { lazy, Suspense, useState } from 'react';
import { criticalPath, type TaskView, taskViews } from '../../fold/task-graph.js';
import { usePage, usePageState } from '../../parts/page-context.js';
import { ProjectChoice, useProject } from '../../parts/project-choice.js';
import { Tabs } from '../../parts/tabs.js';
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
const MOST = 60;

/** The queue as a plan with reasons. */
export default function Tasks() {
  const { session } = usePage();
  const { past } = usePageState();
  const choice = useProject();
  const [tab, setTab] = useState<keyof typeof TABS>('board');
  const tasks = choice.project?.tasks ?? new Map();
  const views = taskViews(tasks);
  const path = criticalPath(tasks);
  const mayChange = session.scope() === 'owner' && past === undefined && choice.project !== undefined;
  return (
    <>
      <div className="head">
        <h1>Tasks</h1>
        <ProjectChoice {...choice} />
      </div>
      {mayChange ? <AddTask project={choice.project?.root ?? ''} known={views.map(({ id }) => id)} /> : null}
      {path.length > 1 ? (
        <p className="note">
          Critical path: {path.join(' → ')}. Nothing is over before these {path.length} are.
        </p>
      ) : null}
      <Tabs tabs={TABS} chosen={tab} onChoose={setTab} label="How to look at tasks" />
      {views.length === 0 ? (
        <section className="empty">
          <h2>No tasks yet</h2>
          <p>Add one above; `devs run --queue` takes them one after another.</p>
        </section>
      ) : tab === 'board' ? (
        <div className="board" role="tabpanel" aria-label="Board">
          {COLUMNS.map(([status, title]) => {
            const inside = views.filter((task) => task.status === status);
            if (inside.length === 0 && status !== 'pending' && status !== 'done') return null;
            return (
              <section key={status} aria-label={title}>
                <h2>
                  {title} <small className="quiet">{inside.length}</small>
                </h2>
                {inside.slice(0, MOST).map((task) => (
                  <TaskCard key={task.id} task={task} project={choice.project?.root ?? ''} mayChange={mayChange} />
                ))}
              </section>
            );
          })}
        </div>
      ) : (
        <Suspense fallback={<p className="quiet">Loading the graph …</p>}>
          <TaskGraph tasks={views} path={path} />
        </Suspense>
      )}
    </>
  );
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
      <p className="quiet">{task.why}</p>
      {task.frees > 0 && task.status !== 'done' ? <p className="quiet">{task.frees} wait for it.</p> : null}
      {mayChange ? <TaskActions task={task} project={project} /> : null}
    </article>
  );
}
