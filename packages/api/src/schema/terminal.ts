import type { ScreenView as CoreScreenView, TypingOutcome as CoreTypingOutcome } from '@devs/core';
import { z } from 'zod';
import { maybe, TerminalName, Time } from './common.js';

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
  })
  .meta({ id: 'Terminal' });
export type Terminal = z.infer<typeof Terminal>;

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
