import type { Task } from './types.js';

/**
 * `{task.id}`, `{task.title}` and `{task.description}` filled in, all at once and literally: a title may hold `$&` or
 * another placeholder. What a task does not have is left empty.
 */
export const fillPlaceholders = (instructions: string, task: Task): string =>
  instructions.replace(
    /\{task\.(id|title|description)\}/g,
    (_, field: 'id' | 'title' | 'description') => task[field] ?? '',
  );
