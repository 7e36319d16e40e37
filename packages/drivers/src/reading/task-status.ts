import type { ConversationTaskStatus } from '@devs/core';

/** Of a to-do list, as Gemini CLI and opencode write it. An unknown status counts as not begun. */
export function taskStatusOf(value: unknown): ConversationTaskStatus {
  if (value === 'cancelled') return 'deleted';
  return value === 'in_progress' || value === 'completed' ? value : 'pending';
}
