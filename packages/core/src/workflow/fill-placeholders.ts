import type { Task } from './types.js';

/** What instructions of a loop may hold. */
export const PLACEHOLDERS = ['{task.id}', '{task.title}', '{task.description}'] as const;

/**
 * Fills in `{task.id}`, `{task.title}` and `{task.description}`, all at once and literally: a title may hold `$&` or
 * another placeholder. Missing fields are empty. Agents write titles: a title stays on its line, so that it cannot
 * pass for a paragraph of the instructions.
 */
export const fillPlaceholders = (instructions: string, task: Task): string =>
  instructions.replace(/\{task\.(id|title|description)\}/g, (_, field: 'id' | 'title' | 'description') =>
    field === 'title' ? task.title.trim().replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ') : (task[field] ?? ''),
  );
