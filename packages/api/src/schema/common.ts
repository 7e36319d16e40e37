import { z } from 'zod';

/** A field that may be missing, and is never `undefined`. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.exactOptional();

export const Json = z.json().meta({ id: 'Json', description: 'Any JSON value.' });
export const JsonObject = z.record(z.string(), z.json());

/** Milliseconds since 1970. */
export const Time = z.number();

export const RunId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'letters, digits, dots, dashes and underscores')
  .describe('Id of a run.');
export const TerminalName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, 'letters, digits, dots, dashes and underscores')
  .describe('Name of a terminal.');
export const TaskId = z.string().min(1).max(200).describe('Id of a task in the queue.');

/** Where records are kept. The root of the project is beside it. */
export const StoreLocation = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('project') }),
    z.strictObject({ kind: z.literal('sqlite'), file: z.string() }),
    z.strictObject({ kind: z.literal('redis'), url: z.string() }),
  ])
  .meta({ id: 'StoreLocation' });

export const ProjectRoot = z
  .string()
  .min(1)
  .max(4096)
  .describe('Root folder of a project, as `projects.list` names it.');

/** Numbers in a query are text. */
export const Count = z.coerce.number<number>().int().min(0);

/** What a command passes to its agent: folder, environment and size of the caller, never of the supervisor. */
export const Caller = z
  .strictObject({
    folder: z.string().min(1),
    environment: z.record(z.string(), z.string()).describe('Kept in memory only.'),
    terminal: maybe(z.strictObject({ columns: z.number().int().min(1), rows: z.number().int().min(1) })),
  })
  .meta({ id: 'Caller' });
export type Caller = z.infer<typeof Caller>;

export const Event = z
  .object({
    position: z.number().int(),
    stream: z.string(),
    version: z.number().int(),
    at: Time,
    type: z.string(),
    data: JsonObject,
  })
  .meta({ id: 'Event', description: 'One event of a log: its position names it within its project.' });

export const EventPage = z
  .object({
    events: z.array(Event),
    position: z.number().int().describe('The log was read up to here: continue behind it.'),
    end: z.number().int().describe('Position of the newest event of the log.'),
  })
  .meta({ id: 'EventPage' });

export const Refused = z.object({ status: z.literal('refused'), reason: z.string(), advice: maybe(z.string()) });

export const Done = z.object({ status: z.literal('done') });
