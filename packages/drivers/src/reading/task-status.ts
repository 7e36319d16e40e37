import type { ConversationTaskStatus } from '@devs/core';

/** Of a to-do list, as Gemini CLI and opencode write it. What is not known counts as not begun. */
export function taskStatusOf(value: unknown): ConversationTaskStatus {
  if (value === 'cancelled') return 'deleted';
  return value === 'in_progress' || value === 'completed' ? value : 'pending';
}
