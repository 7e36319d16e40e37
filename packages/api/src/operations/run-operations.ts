import { z } from 'zod';
import { Caller, Count, Done, EventPage, maybe, ProjectRoot, RunId } from '../schema/common.js';
import { Handoff, HandoffDetail } from '../schema/records.js';
import { RunReport } from '../schema/report.js';
import {
  AskedRun,
  Question,
  QueueNews,
  QueueOrder,
  ResolvedRun,
  RunDetail,
  RunListing,
  RunMerged,
  RunNews,
  RunStarted,
} from '../schema/run.js';
import { defineOperation } from './define-operation.js';

/** Environment and settings of a start are larger than anything else that is sent. */
const START_BYTES = 4 << 20;

const CommitHash = z.string().regex(/^[0-9a-f]{7,64}$/, 'a commit');
const ofRun = { run: RunId, project: maybe(ProjectRoot) };
const seen = maybe(Count).describe(
  'Revision that the caller has; the answer waits for a higher one, for 15 s at most.',
);

export const RUN_OPERATIONS = {
  'runs.list': defineOperation({
    route: 'GET /v1/runs',
    summary: 'List runs, those that need the user first',
    scope: 'viewer',
    input: z.strictObject({
      project: maybe(ProjectRoot),
      state: maybe(z.enum(['open', 'all'])).describe('Default: `open`.'),
      limit: maybe(Count),
    }),
    output: z.object({ runs: z.array(RunListing) }),
  }),
  'runs.start': defineOperation({
    route: 'POST /v1/runs',
    summary: 'Start a run',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({
      run: z.discriminatedUnion('kind', [AskedRun, ResolvedRun]),
      caller: maybe(Caller).describe('Only over the Unix socket.'),
    }),
    output: RunStarted,
  }),
  'runs.get': defineOperation({
    route: 'GET /v1/runs/{run}',
    summary: 'Get one run',
    scope: 'viewer',
    agentOf: 'run',
    input: z.strictObject(ofRun),
    output: RunDetail,
  }),
  'runs.wait': defineOperation({
    route: 'GET /v1/runs/{run}/wait',
    summary: 'Wait for the live state of a run to change',
    scope: 'viewer',
    input: z.strictObject({ run: RunId, seen }),
    output: RunNews,
  }),
  'runs.provide': defineOperation({
    route: 'POST /v1/runs/{run}/provide',
    summary: 'Give a run that waits for its keys the environment of a caller who has them',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ run: RunId, caller: Caller }),
    output: Done,
  }),
  'runs.events': defineOperation({
    route: 'GET /v1/runs/{run}/events',
    summary: 'Read the events of a run and of its terminals',
    scope: 'viewer',
    agentOf: 'run',
    input: z.strictObject({ ...ofRun, after: maybe(Count), limit: maybe(Count) }),
    output: EventPage,
  }),
  'runs.stop': defineOperation({
    route: 'POST /v1/runs/{run}/stop',
    summary: 'Stop a run; `devs resume` continues it',
    scope: 'owner',
    input: z.strictObject({ run: RunId, now: maybe(z.boolean()).describe('Without the courtesy.') }),
    output: z.object({ status: z.enum(['stopped', 'not-running']) }),
  }),
  'runs.resume': defineOperation({
    route: 'POST /v1/runs/{run}/resume',
    summary: 'Continue a run where it stands',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofRun, merge: maybe(z.boolean()), caller: maybe(Caller) }),
    output: RunStarted,
  }),
  'runs.answer': defineOperation({
    route: 'POST /v1/runs/{run}/answer',
    summary: 'Answer the open question of a run',
    scope: 'owner',
    input: z.strictObject({ ...ofRun, answer: z.string().min(1) }),
    output: z.object({ status: z.literal('answered'), question: z.string(), run: RunId }),
  }),
  'runs.merge': defineOperation({
    route: 'POST /v1/runs/{run}/merge',
    summary: "Bring a run's work to the branch that is checked out in its project",
    scope: 'owner',
    input: z.strictObject(ofRun),
    output: RunMerged,
  }),
  'runs.diff': defineOperation({
    route: 'GET /v1/runs/{run}/diff',
    summary: 'Show what a run changed, as git prints it: all of it, or between two of its commits',
    scope: 'viewer',
    input: z.strictObject({ ...ofRun, from: maybe(CommitHash), to: maybe(CommitHash) }),
    output: z.object({ text: z.string(), isCut: z.boolean().describe('There is more.') }),
  }),
  'runs.report': defineOperation({
    route: 'GET /v1/runs/{run}/report',
    summary: 'Say what happened in a run',
    scope: 'viewer',
    agentOf: 'run',
    input: z.strictObject(ofRun),
    output: RunReport,
  }),
  'handoffs.list': defineOperation({
    route: 'GET /v1/runs/{run}/handoffs',
    summary: 'List the handoffs of a run',
    scope: 'viewer',
    agentOf: 'run',
    input: z.strictObject(ofRun),
    output: z.object({ handoffs: z.array(Handoff) }),
  }),
  'handoffs.get': defineOperation({
    route: 'GET /v1/runs/{run}/handoffs/{number}',
    summary: 'Get one handoff with its text',
    scope: 'viewer',
    agentOf: 'run',
    input: z.strictObject({ ...ofRun, number: Count }),
    output: HandoffDetail,
  }),
  'questions.list': defineOperation({
    route: 'GET /v1/questions',
    summary: 'List what only the user can answer, oldest first',
    scope: 'viewer',
    input: z.strictObject({ project: maybe(ProjectRoot) }),
    output: z.object({ questions: z.array(Question) }),
  }),
  'questions.answer': defineOperation({
    route: 'POST /v1/questions/{question}/answer',
    summary: 'Answer a question',
    scope: 'owner',
    input: z.strictObject({
      question: z.string().min(1).max(200),
      project: maybe(ProjectRoot),
      answer: z.string().min(1),
    }),
    output: z.object({ status: z.literal('answered'), question: z.string(), run: RunId }),
  }),
  'queues.start': defineOperation({
    route: 'POST /v1/queues',
    summary: 'Take the tasks of a queue, one after another',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ order: QueueOrder, caller: maybe(Caller) }),
    output: z.object({ queue: z.string() }),
  }),
  'queues.wait': defineOperation({
    route: 'GET /v1/queues/{queue}/wait',
    summary: 'Wait for the live state of a queue to change',
    scope: 'viewer',
    input: z.strictObject({ queue: RunId, seen }),
    output: QueueNews,
  }),
  'queues.provide': defineOperation({
    route: 'POST /v1/queues/{queue}/provide',
    summary: 'Give a queue that waits for its keys the environment of a caller who has them',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ queue: RunId, caller: Caller }),
    output: Done,
  }),
  'queues.stop': defineOperation({
    route: 'POST /v1/queues/{queue}/stop',
    summary: 'Begin no other task, and stop the runs of a queue',
    scope: 'owner',
    input: z.strictObject({ queue: RunId, now: maybe(z.boolean()) }),
    output: z.object({ status: z.enum(['stopped', 'not-running']) }),
  }),
};
