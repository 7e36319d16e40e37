import type { Task } from './types.js';

type Ordered =
  | { readonly ok: true; readonly tasks: readonly Task[] }
  | { readonly ok: false; readonly circle: readonly string[] };

/**
 * Puts each task after its dependencies, otherwise as given. Ignores dependencies outside the list. Uses its own
 * stack, because a chain may be longer than calls can be nested.
 */
export function orderTasks(tasks: readonly Task[]): Ordered {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const places = new Map(tasks.map(({ id }, place) => [id, place]));
  const placeOf = (id: string) => places.get(id) ?? 0;
  const ordered = new Set<Task>();
  for (const first of tasks) {
    const path: { readonly task: Task; readonly dependencies: readonly string[]; next: number }[] = [];
    const onPath = new Set<string>();
    const step = (task: Task) => {
      const dependencies = [...(task.depends_on ?? [])].sort((a, b) => placeOf(a) - placeOf(b));
      path.push({ task, dependencies, next: 0 });
      onPath.add(task.id);
    };
    if (!ordered.has(first)) step(first);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const dependency = visit.dependencies[visit.next++];
      if (dependency === undefined) {
        ordered.add(visit.task);
        onPath.delete(visit.task.id);
        path.pop();
        continue;
      }
      if (onPath.has(dependency))
        return {
          ok: false,
          circle: circleOf(
            path.map(({ task }) => task.id),
            dependency,
          ),
        };
      const other = byId.get(dependency);
      if (other !== undefined && !ordered.has(other)) step(other);
    }
  }
  return { ok: true, tasks: [...ordered] };
}

const circleOf = (path: readonly string[], id: string) => [...path.slice(path.indexOf(id)), id];
