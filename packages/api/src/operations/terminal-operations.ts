import { z } from 'zod';
import { Caller, Count, Done, maybe, ProjectRoot, Refused, StoreLocation, TerminalName } from '../schema/common.js';
import { ConversationEntry } from '../schema/records.js';
import {
  InterruptOutcome,
  RenewOutcome,
  ScreenView,
  StopReport,
  Terminal,
  TerminalHeld,
  TerminalNews,
  TerminalOrder,
  TypingOutcome,
  UndoOutcome,
} from '../schema/terminal.js';
import { defineOperation } from './define-operation.js';

const START_BYTES = 4 << 20;
const MAX_KEYS = 64 << 10;
const ofTerminal = { terminal: TerminalName };
const size = z.coerce.number<number>().int().min(1).max(2_000);

const TerminalStarted = z
  .discriminatedUnion('status', [z.object({ status: z.literal('started'), name: TerminalName }), Refused])
  .meta({ id: 'TerminalStarted' });

const byCaller = { caller: maybe(Caller).describe('For a terminal that is not supervised yet.') };

export const TERMINAL_OPERATIONS = {
  'terminals.list': defineOperation({
    route: 'GET /v1/terminals',
    summary: 'List terminals',
    scope: 'viewer',
    input: z.strictObject({}),
    output: z.object({ terminals: z.array(Terminal) }),
  }),
  'terminals.start': defineOperation({
    route: 'POST /v1/terminals',
    summary: 'Start an agent in a terminal',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({
      agent: z.string().min(1),
      args: z.array(z.string()),
      name: maybe(TerminalName),
      location: maybe(StoreLocation),
      attended: maybe(z.boolean()).describe('Its user sits in front of it.'),
      caller: maybe(Caller),
    }),
    output: TerminalStarted,
  }),
  'terminals.hold': defineOperation({
    route: 'POST /v1/terminals/{terminal}/hold',
    summary: 'Start, resume or take up a terminal, as its caller has resolved it',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofTerminal, order: TerminalOrder, caller: Caller }),
    output: TerminalHeld,
  }),
  'terminals.provide': defineOperation({
    route: 'POST /v1/terminals/{terminal}/provide',
    summary: 'Give a terminal that waits for its keys the environment of a caller who has them',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofTerminal, caller: Caller }),
    output: Done,
  }),
  'terminals.get': defineOperation({
    route: 'GET /v1/terminals/{terminal}',
    summary: 'Get one terminal',
    scope: 'viewer',
    agentOf: 'terminal',
    input: z.strictObject(ofTerminal),
    output: Terminal,
  }),
  'terminals.wait': defineOperation({
    route: 'GET /v1/terminals/{terminal}/wait',
    summary: 'Wait for a terminal to change',
    scope: 'viewer',
    input: z.strictObject({ ...ofTerminal, seen: maybe(Count) }),
    output: TerminalNews,
  }),
  'terminals.attend': defineOperation({
    route: 'POST /v1/terminals/{terminal}/attend',
    summary: 'Be in front of a terminal until this request is closed, or the terminal changes',
    scope: 'owner',
    input: z.strictObject({
      ...ofTerminal,
      window: z.string().min(1).max(100),
      seen: maybe(z.number()),
      typed: z.boolean(),
    }),
    output: TerminalNews,
  }),
  'terminals.leave': defineOperation({
    route: 'POST /v1/terminals/{terminal}/leave',
    summary: 'End attendance at once',
    scope: 'owner',
    input: z.strictObject({ ...ofTerminal, window: z.string().min(1).max(100) }),
    output: Done,
  }),
  'terminals.conversation': defineOperation({
    route: 'GET /v1/terminals/{terminal}/conversation',
    summary: "Read a conversation of a terminal's agent, from the agent's own records",
    scope: 'viewer',
    input: z.strictObject({
      ...ofTerminal,
      project: ProjectRoot,
      conversation: maybe(z.string().max(200)).describe('Default: the newest one.'),
      after: maybe(Count).describe('Number of entries that the caller has.'),
    }),
    output: z.object({
      conversation: maybe(z.string()).describe('Missing where the agent has recorded nothing yet.'),
      first: z.number().int().describe('Number of the first entry of `entries`, counted from 0.'),
      entries: z.array(ConversationEntry),
      total: z.number().int().describe('Number of entries so far.'),
    }),
  }),
  'terminals.send': defineOperation({
    route: 'POST /v1/terminals/{terminal}/send',
    summary: 'Send a prompt and see it arrive',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofTerminal, text: z.string().min(1), ...byCaller }),
    output: TypingOutcome,
  }),
  'terminals.interrupt': defineOperation({
    route: 'POST /v1/terminals/{terminal}/interrupt',
    summary: "Interrupt the turn of an agent, also of a run's, and see it recorded",
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({
      ...ofTerminal,
      text: maybe(z.string().min(1)).describe('What the agent is told instead.'),
      ...byCaller,
    }),
    output: InterruptOutcome,
  }),
  'terminals.keys': defineOperation({
    route: 'POST /v1/terminals/{terminal}/keys',
    summary: 'Type keys, as the terminal would send them',
    scope: 'owner',
    input: z.strictObject({ ...ofTerminal, keys: z.string().min(1).max(MAX_KEYS) }),
    output: z.object({ outcome: z.enum(['written', 'exited', 'input-backlog']) }),
  }),
  'terminals.resize': defineOperation({
    route: 'POST /v1/terminals/{terminal}/resize',
    summary: 'Give a terminal another size',
    scope: 'owner',
    input: z.strictObject({ ...ofTerminal, columns: size, rows: size }),
    output: Done,
  }),
  'terminals.renew': defineOperation({
    route: 'POST /v1/terminals/{terminal}/renew',
    summary: 'Replace the agent with a fresh one, from a handoff',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofTerminal, dropsDraft: maybe(z.boolean()), ...byCaller }),
    output: RenewOutcome,
  }),
  'terminals.undo': defineOperation({
    route: 'POST /v1/terminals/{terminal}/undo',
    summary: 'Return to the conversation before the last renewal',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofTerminal, ...byCaller }),
    output: UndoOutcome,
  }),
  'terminals.stop': defineOperation({
    route: 'POST /v1/terminals/{terminal}/stop',
    summary: 'End an agent with everything that it started',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofTerminal, ...byCaller }),
    output: StopReport,
  }),
  'terminals.resume': defineOperation({
    route: 'POST /v1/terminals/{terminal}/resume',
    summary: 'Open the last conversation of a stopped terminal again',
    scope: 'owner',
    bodyBytes: START_BYTES,
    input: z.strictObject({ ...ofTerminal, caller: maybe(Caller) }),
    output: TerminalStarted,
  }),
  'terminals.screen': defineOperation({
    route: 'GET /v1/terminals/{terminal}/screen',
    summary: 'Get what a terminal shows, as text',
    scope: 'viewer',
    agentOf: 'terminal',
    input: z.strictObject(ofTerminal),
    output: ScreenView,
  }),
};
