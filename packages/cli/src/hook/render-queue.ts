import type { ContextOptions, MinimalState } from '@devs/core';

/** JSON and its fence cost more than words do. */
const CHARS_PER_TOKEN = 4;
const FRAME_CHARS = 300;

/** The last finished tasks and all blockers, in so many characters; nothing where there are neither. */
export function renderQueue(
  { completed_tasks = [], blocked_tasks = [] }: MinimalState,
  mostChars: number,
  contextSection: (state: MinimalState, options: ContextOptions) => string,
): string | undefined {
  if (completed_tasks.length === 0 && blocked_tasks.length === 0) return undefined;
  const contextTokens = Math.floor((mostChars - FRAME_CHARS) / CHARS_PER_TOKEN);
  const whole = contextSection({ completed_tasks, blocked_tasks }, { contextTokens });
  return whole.length <= mostChars ? whole : namesOf(blocked_tasks, mostChars);
}

/** Where even their names are too many. */
function namesOf(blocked: NonNullable<MinimalState['blocked_tasks']>, mostChars: number): string {
  const start = `devs: ${blocked.length} tasks of the queue are blocked (\`devs task list\` shows all of them): `;
  const names = blocked.map(({ task_id }) => task_id).join(', ');
  const room = mostChars - start.length - 1;
  return `${start}${names.length <= room ? names : `${names.slice(0, room)}…`}`;
}
