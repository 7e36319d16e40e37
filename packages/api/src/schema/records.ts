import { TASK_STATUSES, type TaskRecord } from '@devs/core';
import { z } from 'zod';
import { Json, JsonObject, maybe, ProjectRoot, StoreLocation, TaskId, Time } from './common.js';

export const Project = z
  .object({
    root: ProjectRoot,
    location: StoreLocation,
    position: z.number().int().describe('Position of the newest event of its log.'),
    problem: maybe(z.string()).describe('Why its records cannot be read.'),
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const Machine = z
  .object({
    name: z.string(),
    state: z
      .enum(['serving', 'left', 'lost'])
      .describe('`lost`: not heard of any more, and it has not said that it leaves.'),
    slots: z.number().int(),
    labels: z.array(z.string()),
    agents: z.array(z.string()),
    joinedAt: z.number(),
    leftAt: z.number().exactOptional(),
    heardAt: z.number().exactOptional().describe('When it was last heard of.'),
    runs: z.array(z.object({ id: z.string(), task: z.string().exactOptional() })).describe('What it works on.'),
  })
  .meta({ id: 'Machine' });

export const UnmetNeed = z
  .object({ task: z.string(), needs: z.array(z.string()) })
  .meta({ id: 'UnmetNeed', description: 'A task that no machine can begin, and the labels that are missing.' });

export const TaskStatus = z.enum(TASK_STATUSES);

export const Task = z
  .object({
    id: TaskId,
    intent: z.string(),
    description: maybe(z.string()),
    depends_on: z.array(z.string()),
    open_dependencies: z.array(z.string()),
    base: z.string().exactOptional(),
    needs: z.array(z.string()).exactOptional(),
    priority: z.number(),
    status: TaskStatus,
    fence: z.number().int(),
    lease: maybe(z.object({ by: z.string(), until: Time })),
    result: maybe(z.string()),
    reason: maybe(z.string()),
    added_at: Time,
    finished_at: maybe(Time),
    version: z.number().int(),
  })
  .meta({ id: 'Task' }) satisfies z.ZodType<TaskRecord>;

export const NewTask = z
  .strictObject({
    id: TaskId,
    intent: z.string().min(1),
    description: maybe(z.string()),
    depends_on: maybe(z.array(z.string())),
    priority: maybe(z.number()),
    blocked: maybe(z.string()),
  })
  .meta({ id: 'NewTask' });

export const TaskChanged = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('ok'), task: Task }),
    z.object({
      status: z.literal('refused'),
      reason: z.enum(['unknown', 'stale', 'wrong-status', 'waiting']),
      message: z.string(),
    }),
  ])
  .meta({ id: 'TaskChanged' });

export const WorkflowListing = z
  .object({
    name: z.string(),
    path: z.string(),
    origin: z.enum(['project', 'shipped']),
    description: maybe(z.string()),
    problem: maybe(z.string()),
  })
  .meta({ id: 'Workflow' });

export const WorkflowDetail = WorkflowListing.extend({
  source: z.string(),
  template: maybe(JsonObject).describe('Parsed, where the file has no errors.'),
}).meta({ id: 'WorkflowDetail' });

export const Handoff = z
  .object({
    run: z.string(),
    number: z.number().int().describe('Counted from 1.'),
    at: Time,
    terminal: z.string(),
    cause: z.string(),
    characters: z.number().int(),
    position: z.number().int(),
  })
  .meta({ id: 'Handoff' });

export const HandoffDetail = Handoff.extend({ text: z.string() }).meta({ id: 'HandoffDetail' });

export const Setting = z
  .object({
    key: z.string(),
    value: maybe(Json),
    source: maybe(z.object({ where: z.string(), line: maybe(z.number().int()) })),
    description: z.string(),
    isSafe: maybe(z.boolean()).describe('The page may change it.'),
  })
  .meta({ id: 'Setting' });

export const RecallResult = z
  .object({
    kind: z.string(),
    about: maybe(z.string()),
    text: z.string(),
    at: maybe(z.string()),
    agent: z.string(),
    transcript: z.string(),
    line: z.number().int(),
  })
  .meta({ id: 'RecallResult' });

const entryAt = { at: maybe(z.string()).describe('As the agent says it.') };

export const ConversationEntry = z
  .discriminatedUnion('kind', [
    z.object({ ...entryAt, kind: z.enum(['prompt', 'text', 'thought', 'summary', 'note']), text: z.string() }),
    z.object({
      ...entryAt,
      kind: z.literal('call'),
      callId: z.string(),
      tool: z.string(),
      title: z.string(),
      changes: z.array(z.object({ path: z.string(), removed: z.array(z.string()), added: z.array(z.string()) })),
    }),
    z.object({
      ...entryAt,
      kind: z.literal('result'),
      callId: z.string(),
      text: z.string(),
      outcome: z.enum(['ok', 'failed', 'refused']),
      exitCode: maybe(z.number().int()),
    }),
    z.object({
      ...entryAt,
      kind: z.literal('usage'),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedTokens: maybe(z.number()),
    }),
    z.object({ ...entryAt, kind: z.enum(['compacted', 'cleared']) }),
  ])
  .meta({
    id: 'ConversationEntry',
    description: 'The same for all agents. Secrets are left out, long texts shortened.',
  });

export const Finding = z
  .object({ level: z.enum(['ok', 'none', 'warning', 'problem']), text: z.string() })
  .meta({ id: 'Finding' });

export const SupervisorStatus = z
  .object({
    version: z.string(),
    pid: z.number().int(),
    startedAt: Time,
    keeps: z.enum(['while-busy', 'until-down']).describe('Whether it ends when nothing is left to supervise.'),
    runs: z.array(z.object({ id: z.string(), folder: z.string(), state: z.string(), waits: maybe(z.string()) })),
    terminals: z.array(z.object({ name: z.string(), folder: z.string(), waits: maybe(z.string()) })),
    problems: z.array(z.string()).describe('What it cannot do here, for people.'),
  })
  .meta({ id: 'SupervisorStatus' });
