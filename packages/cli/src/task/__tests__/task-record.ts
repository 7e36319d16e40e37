import type { TaskRecord } from '@devs/core';

export const NOW = Date.UTC(2026, 0, 31, 14, 0, 0);
export const calendar = { now: NOW, timeZone: 'UTC' };

export const taskRecord = (changes: Partial<TaskRecord> = {}): TaskRecord => ({
  id: 'fix-login',
  intent: 'Fix the login',
  depends_on: [],
  open_dependencies: [],
  priority: 0,
  status: 'pending',
  fence: 0,
  added_at: NOW - 3_600_000,
  version: 1,
  ...changes,
});
