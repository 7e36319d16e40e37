import { z } from 'zod';
import { Count, EventPage, maybe, ProjectRoot, TaskId } from '../schema/common.js';
import {
  Finding,
  Machine,
  NewTask,
  Project,
  RecallResult,
  Setting,
  Task,
  TaskChanged,
  TaskStatus,
  UnmetNeed,
  WorkflowDetail,
  WorkflowListing,
} from '../schema/records.js';
import { defineOperation } from './define-operation.js';

const inProject = { project: ProjectRoot };

export const RECORD_OPERATIONS = {
  'projects.list': defineOperation({
    route: 'GET /v1/projects',
    summary: 'List the projects of the user, with the position of each log',
    scope: 'viewer',
    input: z.strictObject({}),
    output: z.object({ projects: z.array(Project) }),
  }),
  'machines.list': defineOperation({
    route: 'GET /v1/machines',
    summary: 'List the machines that serve the queue of a project, and the tasks that none of them can begin',
    scope: 'viewer',
    input: z.strictObject(inProject),
    output: z.object({ machines: z.array(Machine), unmet: z.array(UnmetNeed) }),
  }),
  'log.read': defineOperation({
    route: 'GET /v1/log',
    summary: 'Read a page of the log: behind `after`, before `before`, or the newest events',
    scope: 'viewer',
    input: z.strictObject({
      ...inProject,
      after: maybe(Count),
      before: maybe(Count),
      limit: maybe(Count).describe('At most 1,000; default: 200.'),
      stream: maybe(z.string().max(300)),
    }),
    output: EventPage,
  }),
  'tasks.list': defineOperation({
    route: 'GET /v1/tasks',
    summary: 'List tasks',
    scope: 'viewer',
    input: z.strictObject({
      ...inProject,
      status: maybe(TaskStatus),
      text: maybe(z.string().max(500)),
      offset: maybe(Count),
      limit: maybe(Count).describe('At most 1,000; default: 200.'),
    }),
    output: z.object({ tasks: z.array(Task), total: z.number().int() }),
  }),
  'tasks.get': defineOperation({
    route: 'GET /v1/tasks/{task}',
    summary: 'Get one task',
    scope: 'viewer',
    input: z.strictObject({ ...inProject, task: TaskId }),
    output: Task,
  }),
  'tasks.add': defineOperation({
    route: 'POST /v1/tasks',
    summary: 'Add tasks, all or none',
    scope: 'owner',
    input: z.strictObject({ ...inProject, tasks: z.array(NewTask).min(1).max(1_000) }),
    output: z.object({ tasks: z.array(Task) }),
  }),
  'tasks.change': defineOperation({
    route: 'POST /v1/tasks/{task}/change',
    summary: 'Change the status of a task, or remove it',
    scope: 'owner',
    input: z.strictObject({
      ...inProject,
      task: TaskId,
      change: z.discriminatedUnion('to', [
        z.strictObject({ to: z.literal('done'), result: maybe(z.string()) }),
        z.strictObject({ to: z.literal('failed'), reason: z.string().min(1) }),
        z.strictObject({ to: z.literal('blocked'), reason: z.string().min(1) }),
        z.strictObject({ to: z.literal('unblocked') }),
        z.strictObject({ to: z.literal('retried') }),
        z.strictObject({ to: z.literal('released') }),
        z.strictObject({
          to: z.literal('edited'),
          intent: maybe(z.string().min(1)),
          description: maybe(z.string()),
          priority: maybe(z.number().int()),
        }),
        z.strictObject({ to: z.literal('removed') }),
      ]),
    }),
    output: TaskChanged,
  }),
  'recall.search': defineOperation({
    route: 'GET /v1/recall',
    summary: 'Search what was said and done in all conversations of a project',
    scope: 'viewer',
    input: z.strictObject({ ...inProject, words: z.string().min(1).max(500), limit: maybe(Count) }),
    output: z.object({ results: z.array(RecallResult), conversations: z.number().int() }),
  }),
  'workflows.list': defineOperation({
    route: 'GET /v1/workflows',
    summary: 'List the workflows that a project can name',
    scope: 'viewer',
    input: z.strictObject(inProject),
    output: z.object({ workflows: z.array(WorkflowListing) }),
  }),
  'workflows.get': defineOperation({
    route: 'GET /v1/workflows/{workflow}',
    summary: 'Get one workflow with its text',
    scope: 'viewer',
    input: z.strictObject({ ...inProject, workflow: z.string().min(1).max(200) }),
    output: WorkflowDetail,
  }),
  'settings.get': defineOperation({
    route: 'GET /v1/settings',
    summary: 'Get every setting with its value and who says so',
    scope: 'viewer',
    input: z.strictObject(inProject),
    output: z.object({ settings: z.array(Setting), problems: z.array(z.string()) }),
  }),
  'settings.change': defineOperation({
    route: 'POST /v1/settings/change',
    summary: 'Change one safe setting in the file of a project',
    scope: 'owner',
    input: z.strictObject({
      ...inProject,
      setting: z.string().min(1).max(100),
      value: maybe(z.union([z.string().max(1_000), z.number(), z.boolean()])).describe(
        'Missing: the key is removed, and what counts below the file counts again.',
      ),
    }),
    output: z.discriminatedUnion('status', [
      z.object({ status: z.literal('changed'), where: z.string() }),
      z.object({ status: z.literal('refused'), reason: z.string() }),
    ]),
  }),
  'doctor.run': defineOperation({
    route: 'GET /v1/doctor',
    summary: 'Check that devs can work in a project',
    scope: 'viewer',
    input: z.strictObject(inProject),
    output: z.object({ ok: z.boolean(), findings: z.array(Finding) }),
  }),
};
