import type { ScreenView as CoreScreenView, TypingOutcome as CoreTypingOutcome } from '@devs/core';
import { z } from 'zod';
import { JsonObject, maybe, StoreLocation, TerminalName, Time } from './common.js';
import { Notice, OrderToken } from './run.js';

const TerminalNeed = z.object({
  kind: z.enum(['waiting', 'escalated', 'parked', 'crashed', 'arguments']),
  detail: z.string(),
  until: maybe(Time),
  screen: maybe(z.string()).describe('The last lines on its screen, where it waits for an answer.'),
});

export const Terminal = z
  .object({
    name: TerminalName,
    agent: z.string(),
    folder: z.string(),
    run: maybe(z.string()).describe('The run whose agent works in it.'),
    activity: z.enum(['starting', 'busy', 'idle', 'waiting', 'exited']),
    since: maybe(Time),
    detail: maybe(z.string()).describe('On what grounds.'),
    usage: maybe(z.object({ usedTokens: z.number(), windowTokens: z.number() })),
    pressure: maybe(z.number()),
    mark: maybe(z.enum(['low', 'soft', 'firm'])),
    isRenewing: z.boolean(),
    renewals: z.number().int(),
    contextRefreshCount: z.number().int().describe("Seed 002's name for `renewals`."),
    contextRefreshState: z
      .enum(['requesting-handoff', 'committing', 'restarting', 'confirming'])
      .nullable()
      .describe("Seed 002's name for where a renewal stands."),
    isSupervised: z.boolean(),
    supervisedBy: maybe(z.string()),
    isAttended: z.boolean(),
    pid: maybe(z.number().int()),
    conversationId: maybe(z.string()),
    parkedUntil: maybe(Time),
    resumeCommand: maybe(z.string()),
    needs: maybe(TerminalNeed),
    waits: maybe(z.string()).describe('Why it does not work on, as a sentence; missing where it works.'),
  })
  .meta({ id: 'Terminal' });
export type Terminal = z.infer<typeof Terminal>;

/** Resolved by the caller; `take-up`: what runs and is not supervised. */
export const TerminalOrder = z
  .strictObject({
    token: OrderToken,
    agent: z.string().min(1),
    folder: z.string().min(1),
    store: StoreLocation,
    subject: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.enum(['start', 'resume']), args: z.array(z.string()) }),
      z.strictObject({ kind: z.literal('take-up') }),
    ]),
    window: maybe(z.string().min(1).max(100)).describe('The window that its user sits in front of.'),
    size: maybe(z.strictObject({ columns: z.number().int().min(1), rows: z.number().int().min(1) })),
  })
  .meta({ id: 'TerminalOrder' });

export const TerminalHeld = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('started'), name: TerminalName, notes: z.array(z.string()) }),
    z.object({ status: z.literal('taken') }),
    z.object({ status: z.literal('not-running') }),
    z.object({ status: z.literal('unknown') }),
    z.object({ status: z.literal('refused'), reason: z.string() }),
  ])
  .meta({ id: 'TerminalHeld' });

/** The live state of a terminal: `status` is what its supervisor says of it now. */
export const TerminalNews = z
  .object({
    revision: z.number().int().describe('Higher: newer.'),
    name: TerminalName,
    run: maybe(z.string()),
    terminal: maybe(Terminal).describe('Missing where it is gone.'),
    status: maybe(JsonObject),
    window: maybe(z.enum(['assumed', 'unknown'])).describe(
      'How its context window is known, where that is not certain.',
    ),
    notices: z.array(Notice),
    isOver: z.boolean(),
    isLeft: z.boolean().describe('This supervisor let go of it: the next one continues.'),
  })
  .meta({ id: 'TerminalNews' });

export const TypingOutcome = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('delivered'), enters: z.number().int() }),
    z.object({
      kind: z.literal('unconfirmed'),
      reason: z.enum(['exited', 'dialog', 'not-drawn', 'not-confirmed', 'interrupted']),
      enters: z.number().int(),
    }),
    z.object({
      kind: z.literal('refused'),
      reason: z.enum(['exited', 'dialog', 'draft', 'busy', 'prompt-not-drawn', 'needs-bracketed-paste', 'interrupted']),
    }),
  ])
  .meta({ id: 'TypingOutcome' }) satisfies z.ZodType<CoreTypingOutcome>;

const told = maybe(TypingOutcome).describe('What became of the words.');

export const InterruptOutcome = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('seen').describe("The agent's own record says so."), told }),
    z.object({ kind: z.literal('idle').describe('There was no turn to end.'), told }),
    z.object({ kind: z.literal('not-seen'), why: z.string() }),
  ])
  .meta({ id: 'InterruptOutcome' });

export const RenewOutcome = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('renewed'),
      refreshCount: z.number().int(),
      resumeCommand: maybe(z.string()),
      missed: maybe(z.string()),
      grants: z.array(z.object({ tool: z.string(), detail: z.string() })),
      alsoEnded: z.array(z.string()),
    }),
    z.object({ status: z.literal('refused'), reason: z.string() }),
    z.object({ status: z.literal('abandoned') }),
    z.object({ status: z.literal('failed'), error: z.string() }),
  ])
  .meta({ id: 'RenewOutcome' });

export const UndoOutcome = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('undone'), conversationId: z.string() }),
    z.object({ status: z.literal('refused'), reason: z.string() }),
    z.object({ status: z.literal('failed'), error: z.string() }),
  ])
  .meta({ id: 'UndoOutcome' });

const Process = z.object({ pid: z.number().int(), command: z.string() });

export const StopReport = z
  .object({
    name: TerminalName,
    wasRunning: z.boolean(),
    ended: z.array(Process).describe('The agent first, then what it started.'),
    left: z.array(Process).describe('What could not be ended.'),
  })
  .meta({ id: 'StopReport' });

export const ScreenView = z
  .object({
    columns: z.number().int(),
    rows: z.array(z.string()),
    lines: z.array(z.string()),
    cursor: z.object({ row: z.number().int(), column: z.number().int() }),
    title: z.string(),
    bracketedPaste: z.boolean(),
    alternateScreen: z.boolean(),
  })
  .meta({ id: 'Screen' }) satisfies z.ZodType<CoreScreenView>;
