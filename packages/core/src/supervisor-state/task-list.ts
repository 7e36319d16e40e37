interface WithId {
  readonly task_id: string;
}

/** Tasks by id, in the order in which they were put in. Putting and removing cost the same however many there are. */
export interface TaskList<T extends WithId> {
  readonly size: number;
  /** At the end, even if it was in the list before. */
  put(task: T): void;
  remove(task_id: string): void;
  /** Leaves the newest. */
  trimTo(size: number): void;
  /** The array it was made of, as long as nothing was changed. */
  toArray(): T[];
}

/** The index is made when it is first needed: most events concern no list at all. */
export function createTaskList<T extends WithId>(tasks: T[]): TaskList<T> {
  let index: Map<string, T> | undefined;
  let isChanged = false;
  const byId = () => {
    index ??= new Map(tasks.map((task) => [task.task_id, task]));
    return index;
  };
  return {
    get size() {
      return index?.size ?? tasks.length;
    },
    put(task) {
      byId().delete(task.task_id); // else it would keep its old place
      byId().set(task.task_id, task);
      isChanged = true;
    },
    remove(task_id) {
      if (byId().delete(task_id)) isChanged = true;
    },
    trimTo(size) {
      for (const task_id of byId().keys()) {
        if (byId().size <= size) break;
        byId().delete(task_id);
        isChanged = true;
      }
    },
    toArray: () => (isChanged ? [...byId().values()] : tasks),
  };
}
