import type { RunReport as CoreRunReport } from '@devs/core';
import { z } from 'zod';
import { maybe, Time } from './common.js';
import { Totals } from './run.js';

const Renewal = z.object({
  at: Time,
  terminal: z.string(),
  cause: z.string(),
  outcome: z.enum(['completed', 'abandoned', 'failed', 'under way']),
  detail: maybe(z.string()),
  document: maybe(z.object({ stream: z.string(), position: z.number(), characters: z.number() })),
  ownWords: z.enum(['tool', 'transcript', 'screen', 'not asked', 'timeout', 'exited', 'undelivered']),
  added: z.array(z.string()),
  checkpoint: maybe(z.object({ ref: z.string(), commit: z.string(), leftOut: maybe(z.array(z.string())) })),
  lost: z.array(z.string()),
  alsoEnded: z.array(z.string()),
  conversationBefore: maybe(z.string()),
});

const Step = z.object({
  at: z.string(),
  status: z.enum(['done', 'failed']),
  startedAt: Time,
  endedAt: Time,
  workMs: z.number(),
  said: z.string(),
  costUsd: maybe(z.number()).describe('Missing where it is not known.'),
});

const Escalation = z.object({
  id: z.string(),
  at: Time,
  question: z.string(),
  diagnosis: z.string(),
  answer: maybe(z.string()),
  answeredAt: maybe(Time),
});

/** What `devs report --json` prints. */
export const RunReport = z
  .object({
    id: z.string(),
    request: z.string(),
    workflow: z.string(),
    agent: z.string(),
    folder: z.string(),
    worktree: maybe(z.object({ path: maybe(z.string()), branch: maybe(z.string()), base: maybe(z.string()) })),
    terminal: maybe(z.string()),
    startedAt: maybe(Time),
    endedAt: maybe(Time),
    outcome: z.object({
      kind: z.enum(['done', 'failed', 'given-up', 'running', 'open', 'paused', 'escalated']),
      detail: z.string(),
    }),
    taskId: maybe(z.string()),
    steps: z.array(Step),
    position: maybe(z.string()),
    tasks: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        status: z.enum(['pending', 'in_progress', 'done', 'failed']),
        costUsd: maybe(z.number()),
      }),
    ),
    usage: Totals,
    renewals: z.array(Renewal),
    reinjections: z.object({ count: z.number(), tokens: z.number(), share: maybe(z.number()) }),
    ledgers: z.object({ count: z.number(), tokens: z.number() }),
    answers: z.object({ resumed: z.number(), corrected: z.number() }),
    contextActions: z.array(
      z.object({
        at: Time,
        action: z.enum(['compact', 'clear']),
        outcome: z.enum(['observed', 'abandoned', 'asked', 'open']),
        detail: z.string(),
      }),
    ),
    crashes: z.array(z.object({ at: Time, terminal: z.string(), detail: z.string(), resumed: z.boolean() })),
    parks: z.array(z.object({ at: Time, until: Time, why: z.string() })),
    stuck: z.array(
      z.object({ at: Time, kind: z.enum(['no-progress', 'same-action', 'same-error']), detail: z.string() }),
    ),
    escalations: z.array(Escalation),
    budgets: z.array(z.object({ at: Time, budget: z.string(), detail: z.string() })),
    begun: z.number(),
    pauses: z.array(z.object({ at: Time, why: z.string() })),
    commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
    left: z.array(z.object({ what: z.string(), why: z.string() })),
    checks: z.array(z.object({ command: z.array(z.string()), exitCode: z.number(), tail: z.string() })),
    merged: maybe(z.object({ into: z.string(), commit: z.string() })),
    howToMerge: z.array(z.array(z.string())),
  })
  .meta({ id: 'RunReport' }) satisfies z.ZodType<CoreRunReport>;
