import type { DoorName, OperationName, Output, Parsed } from '@devs/api';
import type { ConversationEntry, JsonValue, OpenedStore, RunFacts } from '@devs/core';
import type { TerminalNotice } from '@devs/supervisor';
import type { TerminalHost } from '@devs/terminals';
import type { Identity } from './admission/identity.js';

/** Who asks, and until when. */
export interface CallContext {
  readonly identity: Identity;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
}

/** Rejects with an `ApiError` where the request cannot be done; everything else that is thrown is a bug. */
export type Handler<Name extends OperationName> = (input: Parsed<Name>, context: CallContext) => Promise<Output<Name>>;

export type Handlers = { readonly [Name in OperationName]: Handler<Name> };

/** Operations of the server itself. */
type OwnName =
  | DoorName
  | 'links.make'
  | 'terminals.get'
  | 'terminals.keys'
  | 'terminals.resize'
  | 'terminals.screen'
  | 'terminals.conversation';

/** Operations on the records of projects; see `createRecordHandlers`. */
export type RecordName =
  | 'runs.list'
  | 'runs.get'
  | 'runs.events'
  | 'runs.answer'
  | 'runs.report'
  | 'runs.diff'
  | 'handoffs.list'
  | 'handoffs.get'
  | 'questions.list'
  | 'questions.answer'
  | 'projects.list'
  | 'machines.list'
  | 'log.read'
  | 'tasks.list'
  | 'tasks.get'
  | 'tasks.add'
  | 'tasks.change';

/** What files of the user say. */
type FileName =
  | 'workflows.list'
  | 'workflows.get'
  | 'settings.get'
  | 'settings.change'
  | 'doctor.run'
  | 'recall.search';
export type FileHandlers = Partial<Pick<Handlers, FileName>>;

/** What only a supervisor can do. */
export type SupervisorName = Exclude<OperationName, OwnName | RecordName | FileName>;

/** A notice of one terminal, with the extra facts for seed 002. */
export interface SupervisedNotice {
  readonly terminal: string;
  readonly run?: string;
  /** How often its agent was renewed. */
  readonly renewals: number;
  /** Whether devs renews it by itself. */
  readonly renewsItself: boolean;
  readonly notice: TerminalNotice;
}

/** The live state of this thing may have changed. */
export interface SupervisedChange {
  readonly kind: 'run' | 'terminal' | 'queue' | 'supervisor';
  readonly id: string;
}

/**
 * The supervisor, from the side of the server.
 *
 * Contract: the returned functions of `onNotice` and `onChange` end the listening; listeners must not throw.
 */
export interface ServedSupervisor {
  /** Supported operations; an operation without a handler is not served. */
  readonly handlers: Partial<Pick<Handlers, SupervisorName>>;
  /** Of the terminals: their output and input. */
  host(): Promise<TerminalHost>;
  /** The run whose agent works in a terminal. */
  runOf(terminal: string): string | undefined;
  /** A viewer with a keyboard came, typed or went. */
  user(terminal: string, is: { readonly attached?: boolean; readonly typed?: boolean }): void;
  onNotice(listener: (notice: SupervisedNotice) => void): () => void;
  onChange(listener: (change: SupervisedChange) => void): () => void;
}

/** Two commits of a run; a missing one is its beginning, or what lies in its folder now. */
interface DiffSpan {
  readonly from?: string;
  readonly to?: string;
}

/** Changes of a run, as git prints them. Rejects with an `ApiError` if they are unknown. */
export type DiffRun = (run: RunFacts, root: string, span: DiffSpan) => Promise<string>;

/** Where the agent's own record of a conversation is. */
export interface RecordedConversation {
  readonly agent: string;
  readonly path: string;
}

/**
 * Reads what is new in the agent's own record of a conversation.
 *
 * Contract: `kept` is what the reading before gave; `startedOver` says that it was of no use, so that everything is told again.
 * Rejects with an `ApiError` where there is nothing to read.
 */
export type ReadConversation = (
  where: RecordedConversation,
  kept: JsonValue | undefined,
) => Promise<{
  readonly entries: readonly ConversationEntry[];
  readonly kept: JsonValue;
  readonly startedOver: boolean;
}>;

/** A project that devs knows, and where its records are. */
export interface ProjectPaths {
  readonly root: string;
  readonly location:
    | { readonly kind: 'project' }
    | { readonly kind: 'sqlite'; readonly file: string }
    | { readonly kind: 'redis'; readonly url: string };
}

/**
 * The records of the user's projects.
 *
 * Contract: `open` creates nothing and returns `undefined` without records. Callers close what they open.
 */
export interface ProjectsPort {
  list(): Promise<readonly ProjectPaths[]>;
  open(place: ProjectPaths): Promise<OpenedStore | undefined>;
}
