import { z } from 'zod';
import { Problem } from '../problem.js';
import { Event, Json, maybe, ProjectRoot, TerminalName } from '../schema/common.js';
import { MAX_CHANNELS } from './frames.js';

/** Number of a subscription, chosen by the client; binary messages carry it. */
const channel = z.number().int().min(0).max(MAX_CHANNELS);
const size = z.number().int().min(1).max(2_000);

/** Streams of one kind, such as `run`, or one of them by its id. */
export const StreamChoice = z.strictObject({ kind: z.string().min(1).max(50), id: maybe(z.string().min(1).max(300)) });
export type StreamChoice = z.infer<typeof StreamChoice>;

/** Targets of a subscription. */
export const Subscription = z.discriminatedUnion('to', [
  /** Every event behind `after`, once and in order, then what comes. */
  z.strictObject({
    to: z.literal('log'),
    project: ProjectRoot,
    after: z.number().int().min(0),
    only: maybe(z.array(StreamChoice).max(200)),
  }),
  /** What happens to terminals and runs that is no event of a log, with the names of seed 002 where it has one. */
  z.strictObject({ to: z.literal('notices') }),
  /**
   * Output of one terminal in binary, a snapshot first. With `input`, typed keys arrive and the terminal counts as
   * attended.
   */
  z.strictObject({ to: z.literal('terminal'), terminal: TerminalName, input: maybe(z.boolean()) }),
  /** Rows that changed of these terminals' screens, twice a second at most. */
  z.strictObject({ to: z.literal('screens'), terminals: z.array(TerminalName).max(1_000) }),
]);
export type Subscription = z.infer<typeof Subscription>;

export const ClientMessage = z.discriminatedUnion('type', [
  /** The first one, within two seconds. */
  z.strictObject({ type: z.literal('hello'), token: z.string().min(1).max(200) }),
  z.strictObject({ type: z.literal('subscribe'), channel, subscription: Subscription }),
  z.strictObject({ type: z.literal('unsubscribe'), channel }),
  /** Output up to `offset` is drawn: the server sends no more than 1 MB ahead of it. */
  z.strictObject({ type: z.literal('ack'), channel, offset: z.number().int().min(0) }),
  z.strictObject({ type: z.literal('resize'), channel, columns: size, rows: size }),
  z.strictObject({ type: z.literal('ping'), id: z.number().int() }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const ServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    version: z.string(),
    scope: z.enum(['owner', 'viewer', 'agent']),
    server: z.string().describe('Another one after a restart of the supervisor.'),
  }),
  z.object({ type: z.literal('subscribed'), channel }),
  /** Nothing comes on this channel any more. */
  z.object({ type: z.literal('ended'), channel, problem: maybe(Problem) }),
  /** The log was read up to `position` for this subscription, also where it has no event for it. */
  z.object({ type: z.literal('events'), channel, events: z.array(Event), position: z.number().int() }),
  /** What follows was appended after the subscription was made, or nearly so. */
  z.object({ type: z.literal('caught-up'), channel, position: z.number().int() }),
  z.object({ type: z.literal('notice'), channel, name: z.string(), data: Json }),
  /** The next binary message of the channel is all of the terminal at this offset; `skipped` where output was left out. */
  z.object({
    type: z.literal('snapshot'),
    channel,
    columns: z.number().int(),
    rows: z.number().int(),
    offset: z.number().int(),
    skipped: z.boolean(),
  }),
  z.object({ type: z.literal('resized'), channel, columns: z.number().int(), rows: z.number().int() }),
  z.object({ type: z.literal('exited'), channel, exitCode: maybe(z.number().int()) }),
  /** `rows`: text by its row, only those that changed. */
  z.object({
    type: z.literal('screen'),
    channel,
    terminal: z.string(),
    height: z.number().int(),
    rows: z.record(z.string(), z.string()),
  }),
  z.object({ type: z.literal('pong'), id: z.number().int() }),
  /** So that a client knows that silence is a lost connection. */
  z.object({ type: z.literal('beat'), at: z.number() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;

/** A message that this version does not know is `undefined`. */
export function parseServerMessage(text: string): ServerMessage | undefined {
  try {
    return ServerMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
