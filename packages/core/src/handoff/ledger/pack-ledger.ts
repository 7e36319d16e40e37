import type { JsonValue } from '../../ports/json.js';
import {
  type Check,
  isEntryOf,
  isFlag,
  isListOf,
  isNumber,
  isRecord,
  isRecordOf,
  isText,
  orNothing,
} from './checks.js';
import { commandKey, type Ledger, type LedgerCommand, type LedgerFile, type LedgerSearch } from './ledger.js';
import { packMentions, unpackMentions } from './pack-mentions.js';

/** Counted up whenever a ledger of an older devs would be understood wrongly: it is then built anew. */
const VERSION = 3;

/** A ledger as a serializable value, to continue it in another process. It shares no mutable state. */
export function packLedger(ledger: Ledger): JsonValue {
  const { firstRequest, requests } = ledger;
  const packed = {
    ...ledger,
    version: VERSION,
    // Whether the first request is still in the list is told by its being the same object.
    firstRequest: firstRequest === requests[0] ? IN_LIST : firstRequest,
    requests: [...requests],
    standing: [...ledger.standing],
    refusals: [...ledger.refusals],
    shell: [...ledger.shell],
    notes: [...ledger.notes],
    tasks: [...ledger.tasks],
    droppedTasks: { ...ledger.droppedTasks },
    since: { ...ledger.since },
    files: [...ledger.files.values()].map(fileOf),
    commands: [...ledger.commands.values()].map(commandOf),
    searches: [...ledger.searches].map(([key, search]) => [key, searchOf(search)]),
    troubles: ledger.troubles.map((trouble) => ({ ...trouble })),
    answers: [...ledger.answers],
    recent: ledger.recent.map((result) => ({ ...result })),
    mentions: packMentions(ledger.mentions),
    waiting: [...ledger.waiting],
  };
  return packed as unknown as JsonValue; // JSON leaves out what is undefined
}

const IN_LIST = 'in-list';

/** Nothing for what another version wrote, or what is damaged. The value may be used again afterwards. */
export function unpackLedger(value: unknown): Ledger | undefined {
  if (!isRecord(value) || value.version !== VERSION || !isPackedLedger(value)) return undefined;
  const mentions = unpackMentions(value.mentions);
  if (mentions === undefined) return undefined;
  const packed = value as unknown as PackedLedger;
  return {
    step: packed.step,
    lastDone: packed.lastDone,
    since: { ...packed.since },
    place: packed.place,
    firstRequest: packed.firstRequest === IN_LIST ? packed.requests[0] : (packed.firstRequest ?? undefined),
    requests: [...packed.requests],
    standing: [...packed.standing],
    refusals: [...packed.refusals],
    shell: [...packed.shell],
    lastInput: packed.lastInput,
    notes: [...packed.notes],
    summary: packed.summary,
    plan: packed.plan,
    compactions: packed.compactions,
    tasks: new Map(packed.tasks),
    droppedTasks: { ...packed.droppedTasks },
    files: new Map(packed.files.map((file) => [file.path, fileOf(file)])),
    commands: new Map(packed.commands.map(commandOf).map((command) => [commandKey(command), command])),
    searches: new Map(packed.searches.map(([key, search]) => [key, searchOf(search)])),
    troubles: packed.troubles.map((trouble) => ({ ...trouble })),
    answers: [...packed.answers],
    recent: [...packed.recent],
    mentions,
    waiting: new Map(packed.waiting),
  };
}

/**
 * JSON has no fields that are undefined; the ledger has them, so that all its records have the same form. Each field by its
 * name, as there are a thousand records: to spread them takes five times as long.
 */
const fileOf = (file: LedgerFile): LedgerFile => ({
  path: file.path,
  changes: file.changes,
  how: file.how,
  changesSince: file.changesSince,
  changedStep: file.changedStep,
  movedTo: file.movedTo,
  reads: file.reads,
  lines: file.lines,
  why: file.why,
  step: file.step,
  from: file.from,
});

const commandOf = (command: LedgerCommand): LedgerCommand => ({
  command: command.command,
  folder: command.folder,
  purpose: command.purpose,
  runs: command.runs,
  outcome: command.outcome,
  exitCode: command.exitCode,
  result: command.result,
  step: command.step,
  from: command.from,
});

const searchOf = (search: LedgerSearch): LedgerSearch => ({
  pattern: search.pattern,
  where: search.where,
  matches: search.matches,
  step: search.step,
  from: search.from,
});

type ValuesOf<M> = M extends Map<string, infer Value> ? Value : never;
type Entries<M> = readonly (readonly [string, ValuesOf<M>])[];

type PackedLedger = Pick<
  Ledger,
  'step' | 'lastDone' | 'since' | 'place' | 'lastInput' | 'summary' | 'plan' | 'compactions' | 'droppedTasks'
> & {
  readonly firstRequest?: Ledger['firstRequest'] | typeof IN_LIST;
  readonly files: readonly ValuesOf<Ledger['files']>[];
  readonly commands: readonly ValuesOf<Ledger['commands']>[];
} & {
  readonly [list in
    | 'requests'
    | 'standing'
    | 'refusals'
    | 'shell'
    | 'notes'
    | 'troubles'
    | 'answers'
    | 'recent']: Ledger[list];
} & {
  readonly [map in 'tasks' | 'searches' | 'waiting']: Entries<Ledger[map]>;
};

const isProvenance = isRecordOf({ line: isNumber });
const SAID = { text: isText, step: isNumber, from: isProvenance };
const isSaid = isRecordOf(SAID);

const FIELDS: Readonly<Record<Exclude<keyof Ledger, 'mentions'>, Check>> = {
  step: isNumber,
  lastDone: isNumber,
  since: isRecordOf({ commands: isNumber, failed: isNumber }),
  place: isRecord,
  firstRequest: (value) => value === IN_LIST || orNothing(isSaid)(value),
  requests: isListOf(isSaid),
  standing: isListOf(isSaid),
  refusals: isListOf(isRecordOf({ ...SAID, what: isText })),
  shell: isListOf(isSaid),
  lastInput: orNothing(isRecordOf({ ...SAID, kind: isText })),
  notes: isListOf(isSaid),
  summary: orNothing(isSaid),
  plan: orNothing(isRecordOf({ ...SAID, isApproved: isFlag })),
  compactions: isNumber,
  tasks: isListOf(isEntryOf(isRecordOf({ title: isText, status: isText, from: isProvenance }))),
  droppedTasks: isRecordOf({ listed: isNumber, single: isNumber }),
  files: isListOf(
    isRecordOf({
      path: isText,
      changes: isNumber,
      how: orNothing(isText),
      changesSince: isNumber,
      changedStep: isNumber,
      movedTo: orNothing(isText),
      reads: isNumber,
      lines: orNothing(isRecordOf({ first: isNumber })),
      why: orNothing(isText),
      step: isNumber,
      from: isProvenance,
    }),
  ),
  commands: isListOf(
    isRecordOf({
      command: isText,
      folder: orNothing(isText),
      runs: isNumber,
      outcome: isText,
      result: isText,
      step: isNumber,
      from: isProvenance,
    }),
  ),
  searches: isListOf(isEntryOf(isRecordOf({ pattern: isText, matches: isNumber, step: isNumber, from: isProvenance }))),
  troubles: isListOf(
    isRecordOf({
      what: isText,
      kind: isText,
      key: isText,
      message: isText,
      resolved: isFlag,
      refused: isFlag,
      from: isProvenance,
    }),
  ),
  answers: isListOf(isRecordOf({ ...SAID, question: isText })),
  recent: isListOf(isRecordOf({ what: isText, text: isText, from: isProvenance })),
  waiting: isListOf(
    isEntryOf(isRecordOf({ tool: isText, actions: isListOf(isRecord), step: isNumber, from: isProvenance })),
  ),
};

const isPackedLedger = isRecordOf(FIELDS);
