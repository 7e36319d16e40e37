import { z } from 'zod';

/** Raised when an old host or client could misunderstand a new one. The first message says which one is spoken. */
export const PROTOCOL_VERSION = 1;

/** Part of paths and marks, so only characters that are safe in both. */
const TERMINAL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

const terminalId = z.string().regex(TERMINAL_ID, 'letters, digits, dots, dashes and underscores, 80 at most');
const watch = z.number().int().min(0).max(0xffff_ffff);
const size = z.number().int().min(1).max(2_000);
const holder = z.string().min(1).max(200);
const secretName = z.string().min(1).max(200);
const MAX_SECRET_CHARS = 256 << 10;

export const SpawnParams = z.strictObject({
  terminalId,
  file: z.string().min(1),
  args: z.array(z.string()),
  cwd: z.string().min(1),
  /** The complete environment: the host adds only its mark. */
  env: z.record(z.string(), z.string()),
  columns: size,
  rows: size,
  umask: z.number().int().min(0).max(0o777).optional(),
  /** How much output is kept in memory. */
  ringBytes: z
    .number()
    .int()
    .min(128 << 10)
    .max(256 << 20)
    .optional(),
  /** Whether output is kept on disk too. */
  log: z.boolean().optional(),
});
export type SpawnParams = z.infer<typeof SpawnParams>;

const ofTerminal = z.strictObject({ terminalId });

/** Requests of a client. One table for both sides. */
export const REQUESTS = {
  hello: z.strictObject({ protocol: z.number().int() }),
  /** Which process calls: it has opened the file that the answer to `hello` names. */
  prove: z.strictObject({ pid: z.number().int().positive() }),
  spawn: SpawnParams,
  list: z.strictObject({}),
  /** `watch` is a number chosen by the client; every message for the watch carries it. */
  watch: z.strictObject({ terminalId, watch, from: z.number().int().min(0).optional() }),
  unwatch: z.strictObject({ watch }),
  resize: z.strictObject({ terminalId, columns: size, rows: size }),
  /** Which size the output was printed for, by its offsets. A host that was started by an older devs does not know it. */
  sizes: ofTerminal,
  signal: z.strictObject({ terminalId, signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL', 'SIGWINCH']) }),
  /** Who supervises the terminal from now on. The last caller wins. */
  hold: z.strictObject({ terminalId, holder }),
  /** `holder`: ends it only if no other supervisor has taken the terminal since. */
  end: z.strictObject({ terminalId, graceMs: z.number().int().min(0).max(3_600_000), holder: holder.optional() }),
  processes: ofTerminal,
  keep: z.strictObject({ terminalId, handle: z.number().int(), offset: z.number().int().min(0), data: z.string() }),
  recall: ofTerminal,
  forget: ofTerminal,
  /** The caller supervises what runs here: when its connection is lost, this is started. */
  guard: z.strictObject({
    command: z.array(z.string().min(1)).min(1),
    cwd: z.string().min(1),
    env: z.record(z.string(), z.string()),
  }),
  /** There is nothing left to supervise. */
  unguard: z.strictObject({}),
  /** Kept in memory and nowhere else, for the next supervisor; `null` removes it. */
  entrust: z.strictObject({ name: secretName, data: z.string().max(MAX_SECRET_CHARS).nullable() }),
  entrusted: z.strictObject({ name: secretName }),
} as const;
export type RequestName = keyof typeof REQUESTS;
export type Params<Name extends RequestName> = z.infer<(typeof REQUESTS)[Name]>;

export const RequestMessage = z.strictObject({
  request: z.number().int().min(0),
  method: z.enum(Object.keys(REQUESTS) as [RequestName, ...RequestName[]]),
  params: z.unknown(),
});

const REFUSALS = [
  'bad-request',
  'wrong-protocol',
  'not-allowed',
  'unknown-terminal',
  'already-running',
  'not-found',
  'no-folder',
  'no-terminal-left',
  'exited',
  'still-running',
  'input-backlog',
  'held-by-another',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const ProcessMessage = z.object({
  pid: z.number(),
  started: z.string(),
  parent: z.number(),
  group: z.number(),
  session: z.number(),
  command: z.string(),
});

const TerminalMessage = z.object({
  terminalId,
  /** Of this start of the terminal; a new one gets another. */
  handle: z.number(),
  pid: z.number(),
  started: z.string(),
  file: z.string(),
  cwd: z.string(),
  columns: z.number(),
  rows: z.number(),
  spawnedAt: z.number(),
  /** The output that is in memory, as offsets from the first byte that was ever printed. */
  output: z.object({ start: z.number(), end: z.number() }),
  outputFolder: z.string().optional(),
  exit: z
    .object({
      exitCode: z.number(),
      signal: z.number().optional(),
      at: z.number(),
      /** `uncertain` where the end of the output could not be seen. */
      tail: z.enum(['complete', 'uncertain']),
    })
    .optional(),
});
export type HostedTerminal = z.infer<typeof TerminalMessage>;
export type TerminalExit = NonNullable<HostedTerminal['exit']>;

/** Answers of the host, by request name. */
export const RESULTS = {
  /** `challenge`: a file in the host's folder. A host that was started by an older devs names none. */
  hello: z.object({ protocol: z.number(), instance: z.string(), pid: z.number(), challenge: z.string().optional() }),
  prove: z.null(),
  spawn: TerminalMessage,
  list: z.array(TerminalMessage),
  watch: TerminalMessage,
  unwatch: z.null(),
  resize: z.null(),
  sizes: z.array(z.object({ offset: z.number(), columns: z.number(), rows: z.number() })),
  signal: z.null(),
  hold: z.null(),
  end: z.object({
    manner: z.enum(['gone', 'polite', 'killed']),
    ended: z.array(ProcessMessage),
    survivors: z.array(ProcessMessage),
  }),
  processes: z.array(ProcessMessage),
  keep: z.null(),
  recall: z.object({ handle: z.number(), offset: z.number(), data: z.string() }).nullable(),
  forget: z.null(),
  guard: z.null(),
  unguard: z.null(),
  entrust: z.null(),
  entrusted: z.string().nullable(),
} as const;
export type Result<Name extends RequestName> = z.infer<(typeof RESULTS)[Name]>;

export const HostMessage = z.union([
  z.object({ answer: z.number(), result: z.unknown() }),
  z.object({ answer: z.number(), refusal: z.enum(REFUSALS), message: z.string() }),
  z.object({ event: z.literal('output.skipped'), watch, from: z.number(), to: z.number() }),
  z.object({ event: z.literal('terminal.resized'), watch, columns: z.number(), rows: z.number() }),
  z.object({ event: z.literal('terminal.exited'), watch, terminal: TerminalMessage }),
]);
export type HostMessage = z.infer<typeof HostMessage>;
