import { z } from 'zod';
import { JsonObject, maybe, ProjectRoot, RunId, StoreLocation, Time } from './common.js';

export const Totals = z
  .object({
    turns: z.number(),
    inputTokens: z.number(),
    cachedTokens: z.number(),
    outputTokens: z.number(),
    costUsd: maybe(z.number()),
    activeMs: z.number(),
  })
  .meta({ id: 'Totals' });

export const Question = z
  .object({
    id: z.string(),
    run: RunId,
    project: ProjectRoot,
    request: z.string().describe('What the run is about.'),
    question: z.string(),
    diagnosis: z.string(),
    at: Time,
    answer: maybe(z.string()).describe('On its way to the agent.'),
    unseen: maybe(z.object({ answer: z.string(), why: z.string(), isTyped: z.boolean() })).describe(
      "An answer that the agent's own record did not show.",
    ),
  })
  .meta({ id: 'Question' });
export type Question = z.infer<typeof Question>;

export const RunListing = z
  .object({
    id: RunId,
    project: ProjectRoot,
    request: z.string(),
    workflow: z.string(),
    agent: z.string(),
    state: z
      .enum(['running', 'needs you', 'paused', 'interrupted', 'done', 'failed', 'given-up'])
      .describe('`interrupted`: no process supervises it, and none said why.'),
    since: Time,
    startedAt: maybe(Time),
    detail: z.string(),
    waits: maybe(z.string()).describe('Why it does not work on, as a sentence; missing where it works.'),
    advice: maybe(z.string()).describe('What to type.'),
    terminal: maybe(z.string()),
    machine: maybe(z.string()).describe('Which machine has it, where several share the store.'),
    branch: maybe(z.string()),
    task: maybe(z.string()),
    step: maybe(z.string()),
    merged: maybe(z.object({ into: z.string(), commit: z.string() })),
    totals: Totals,
  })
  .meta({ id: 'Run' });
export type RunListing = z.infer<typeof RunListing>;

/** Position in a workflow, as reported by the tool `workflow_status`. */
const WorkflowPosition = z.looseObject({
  status: z.enum(['running', 'complete', 'failed']),
  step: z.string(),
  stepType: z.enum(['action', 'loop', 'ralph']),
  subStep: maybe(z.string()),
  ralphIteration: maybe(z.number()),
  instructions: z.string(),
});

export const RunDetail = RunListing.extend({
  position: z.number().int().describe('Position of the log that this shows.'),
  workflowPosition: maybe(WorkflowPosition),
  worktree: maybe(z.object({ path: z.string(), branch: maybe(z.string()), base: maybe(z.string()) })),
  question: maybe(Question),
  commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
  checks: z.array(z.object({ command: z.array(z.string()), exitCode: z.number(), tail: z.string() })),
  terminals: z.array(z.string()).describe('Terminals that its agents worked in, oldest first.'),
}).meta({ id: 'RunDetail' });

const Flag = z.strictObject({ where: z.string(), text: z.string() });

/** In words: settings, workflow and trust are resolved by the supervisor. */
export const AskedRun = z
  .strictObject({
    kind: z.literal('asked'),
    project: ProjectRoot,
    request: z.string().min(1),
    workflow: maybe(z.string()),
    agent: maybe(z.string()),
    merge: maybe(z.boolean()),
    flags: maybe(z.array(Flag)),
  })
  .meta({ id: 'AskedRun' });

export const OrderToken = z
  .string()
  .min(1)
  .max(100)
  .describe('Chosen by the caller: an order that is sent twice is carried out once.');

/** Resolved by the caller, who had its user agree to what needs agreement; `store` is of the caller's project. */
export const ResolvedRun = z
  .strictObject({
    kind: z.literal('resolved'),
    token: OrderToken,
    store: StoreLocation,
    agent: z.string(),
    settings: JsonObject,
    trustsFolder: z.boolean(),
    merge: z.boolean(),
    onEscalation: z.enum(['wait', 'pause']),
    subject: z.union([
      z.strictObject({ runId: RunId }),
      z.strictObject({ template: JsonObject, source: JsonObject, plan: JsonObject }),
    ]),
  })
  .meta({ id: 'ResolvedRun' });

export const RunStarted = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('started'), run: RunId }),
    z.object({ status: z.literal('held'), by: z.string(), until: Time }),
    z.object({
      status: z.literal('refused'),
      reason: z.string(),
      advice: z.string(),
      runId: maybe(RunId),
      isGeneral: maybe(z.literal(true)),
      isElsewhere: maybe(z.literal(true)),
    }),
    z.object({ status: z.literal('cancelled'), runId: RunId, why: z.string() }),
    z.object({ status: z.literal('finished'), outcome: z.enum(['done', 'failed', 'given-up']), detail: z.string() }),
    z.object({ status: z.literal('unknown-run') }),
  ])
  .meta({ id: 'RunStarted' });

export const Notice = z.object({ number: z.number().int(), notice: JsonObject });

const MergeNews = z.object({
  isMerged: z.boolean(),
  merged: maybe(z.object({ into: z.string(), commit: z.string() })),
  text: z.string(),
});

/** Live state of a run: `status` comes from its supervisor. */
export const RunNews = z
  .object({
    revision: z.number().int().describe('Higher: newer.'),
    run: RunId,
    notes: z.array(z.string()),
    status: maybe(JsonObject),
    outcome: maybe(JsonObject).describe('Why it was not started.'),
    end: maybe(z.looseObject({ status: z.enum(['finished', 'paused', 'lost']) })),
    merge: maybe(MergeNews),
    notices: z.array(Notice),
    isOver: z.boolean(),
    isLeft: z.boolean().describe('This supervisor let go of it: the next one continues.'),
  })
  .meta({ id: 'RunNews' });

/** Tasks of a queue, each with its own run; resolved by the caller. */
export const QueueOrder = z
  .strictObject({
    token: OrderToken,
    store: StoreLocation,
    agent: z.string(),
    settings: JsonObject,
    trustsFolder: z.boolean(),
    merge: z.boolean(),
    workflow: z.strictObject({ template: JsonObject, source: JsonObject }),
    plan: JsonObject,
    serves: maybe(z.literal(true)).describe('Waits for further tasks until it is stopped, as a worker.'),
  })
  .meta({ id: 'QueueOrder' });

export const QueueNews = z
  .object({
    revision: z.number().int(),
    queue: z.string(),
    runs: z.array(z.string()),
    merges: z.array(z.object({ run: z.string(), merge: MergeNews })),
    notices: z.array(Notice),
    end: maybe(JsonObject),
    problem: maybe(z.string()),
    isOver: z.boolean(),
    isLeft: z.boolean(),
  })
  .meta({ id: 'QueueNews' });

export const RunMerged = z
  .discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('merged'), into: z.string(), commit: z.string(), how: z.string() }),
    z.object({ outcome: z.literal('nothing-to-merge') }),
    z.object({ outcome: z.literal('refused'), reason: z.string(), advice: z.string() }),
    z.object({ outcome: z.literal('failed'), message: z.string() }),
  ])
  .meta({ id: 'RunMerged' });
