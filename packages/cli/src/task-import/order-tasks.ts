import type { ImportProblem } from './draft.js';
import type { PlannedTask } from './plan-import.js';

type Order =
  | { readonly ok: true; readonly tasks: readonly PlannedTask[] }
  | { readonly ok: false; readonly problem: ImportProblem };

/** Each task behind those it depends on, else in the order of the file. Any length of chain; a circle is a problem. */
export function orderTasks(tasks: readonly PlannedTask[]): Order {
  const byId = new Map(tasks.map((planned) => [planned.task.id, planned]));
  const done = new Set<string>();
  const ordered: PlannedTask[] = [];
  for (const start of tasks) {
    const path = new Set<string>();
    const stack = [start];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { id, depends_on = [] } = top.task;
      path.add(id);
      const next = depends_on.map((other) => byId.get(other)).find((other) => other && !done.has(other.task.id));
      if (next === undefined || done.has(id)) {
        if (!done.has(id)) ordered.push(top);
        done.add(id);
        path.delete(id);
        stack.pop();
      } else if (path.has(next.task.id)) {
        return { ok: false, problem: { line: next.line, problem: `a circle: ${circle(path, next.task.id)}` } };
      } else stack.push(next);
    }
  }
  return { ok: true, tasks: ordered };
}

function circle(path: ReadonlySet<string>, id: string): string {
  const ids = [...path];
  return [...ids.slice(ids.indexOf(id)), id].join(' → ');
}
