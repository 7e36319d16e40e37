import { z } from 'zod';

const text = z.string();

/** Finished work as prompts show it. Records from before `intent` and `result` were kept do without. */
const FinishedTaskSchema = z.object({
  task_id: text,
  completed_at: text.optional().describe('ISO 8601'),
  status: z.enum(['completed', 'failed']).optional(),
  intent: text.optional(),
  result: text.optional(),
});

const BlockedTaskSchema = z.object({
  task_id: text,
  reason: text,
  intent: text.optional(),
  blocked_at: text.optional().describe('ISO 8601'),
});

/**
 * State of the supervisor, folded from the event log. Small for any history: of finished tasks it holds the newest and
 * a count, of blocked ones all.
 */
export const SupervisorStateSchema = z
  .object({
    schema_version: z.literal(1),
    position: z.int().nonnegative().describe('the last event of the log that is taken in'),
    project: z.record(z.string(), z.unknown()).optional(),
    completed_tasks: z.array(FinishedTaskSchema).describe('the newest finished tasks, newest last'),
    finished_count: z.int().nonnegative(),
    blocked_tasks: z.array(BlockedTaskSchema).describe('all that are blocked now, oldest first'),
    active_tasks: z.array(z.object({ task_id: text, intent: text.optional(), by: text.optional() })),
  })
  .describe('The state of a devs supervisor');

export type SupervisorState = z.infer<typeof SupervisorStateSchema>;
export type FinishedTask = z.infer<typeof FinishedTaskSchema>;
export type BlockedTask = z.infer<typeof BlockedTaskSchema>;

export const emptySupervisorState = (): SupervisorState => ({
  schema_version: 1,
  position: 0,
  completed_tasks: [],
  finished_count: 0,
  blocked_tasks: [],
  active_tasks: [],
});
