import type { ConversationTaskStatus, InputKind } from '../../conversation/conversation-event.js';
import type { Provenance } from '../../conversation/provenance.js';
import type { ChangeMode, LineRange, ToolAction } from '../../conversation/tool-action.js';
import type { SafeText } from '../safe-text.js';
import { Mentions } from './mentions.js';

/**
 * What is known about a conversation so far. A fold over its events, of bounded size for any length. The caller owns
 * it: `addToLedger` changes it in place, as a transcript has millions of events.
 */
export interface Ledger {
  /** Counts what the user and the agent did; ages are told in steps, as a clock says nothing about work. */
  step: number;
  /** The last step that succeeded: what was announced after it is not done. */
  lastDone: number;
  /** What the agent ran since the last request. */
  since: { commands: number; failed: number };
  place: LedgerPlace;
  /** The first, and the newest. */
  firstRequest: Request | undefined;
  requests: Request[];
  /** Sentences of any request that tell how to work: the oldest, which have held longest, and the newest. */
  standing: Said[];
  /** What the user said instead of allowing a call. */
  refusals: Refusal[];
  /** What the user ran in the agent's shell, with what it printed. */
  shell: Said[];
  /** The newest text in the user's place that is not a request. */
  lastInput: NotedInput | undefined;
  notes: Said[];
  /** What the agent's model wrote at the last compaction. */
  summary: Said | undefined;
  /** The last that the user approved; before that, the last that the agent put to them. */
  plan: Plan | undefined;
  compactions: number;
  tasks: Map<string, LedgerTask>;
  /** Open tasks that there was no room for: of the list that the agent wrote last, and of those with ids of their own. */
  droppedTasks: { listed: number; single: number };
  files: Map<string, LedgerFile>;
  commands: Map<string, LedgerCommand>;
  searches: Map<string, LedgerSearch>;
  troubles: Trouble[];
  answers: Answered[];
  /** The newest results, with more of their text than is kept of others. */
  recent: RecentResult[];
  mentions: Mentions;
  /** Calls without an answer yet. */
  waiting: Map<string, WaitingCall>;
}

interface LedgerPlace {
  readonly conversationId?: string;
  /** The first one, while the work is there: paths are told from it. */
  readonly folder?: string;
  /** Where the agent's shell is at the moment. */
  readonly shellFolder?: string;
  readonly branch?: string;
  readonly agentVersion?: string;
  readonly model?: string;
}

export interface Said {
  readonly text: string;
  readonly step: number;
  readonly from: Provenance;
}

export interface Request extends Said {
  /** The end of what the agent had said, where it had said anything since the request before: “yes” answers to it. */
  readonly replyTo?: string;
  /** The agent of the same team that asked; missing where it was the user. */
  readonly by?: string;
}

interface Plan extends Said {
  readonly isApproved: boolean;
}

export interface NotedInput extends Said {
  readonly kind: InputKind;
}

interface Refusal extends Said {
  /** The call that was not allowed. */
  readonly what: string;
}

export interface LedgerTask {
  readonly title: string;
  readonly status: ConversationTaskStatus;
  readonly description?: string;
  readonly from: Provenance;
}

export interface LedgerFile {
  readonly path: string;
  changes: number;
  how: ChangeMode | undefined;
  /** Changes since it was last written whole. */
  changesSince: number;
  /** The step of its last change. */
  changedStep: number;
  movedTo: string | undefined;
  reads: number;
  /** What was read last; nothing where that was the whole file. */
  lines: LineRange | undefined;
  /** Why it was last changed, or read where it never was, in the agent's words just before. */
  why: string | undefined;
  step: number;
  from: Provenance;
}

export interface LedgerCommand {
  readonly command: string;
  /** Where it ran, where that was not the folder of the conversation. */
  readonly folder: string | undefined;
  purpose: string | undefined;
  runs: number;
  outcome: 'ok' | 'failed' | 'refused' | 'running';
  exitCode: number | undefined;
  /** What its last output says, in a few lines. */
  result: string;
  step: number;
  from: Provenance;
}

export interface LedgerSearch {
  readonly pattern: string;
  readonly where: string | undefined;
  /** Lines of the result; none where nothing was found. */
  readonly matches: number;
  step: number;
  from: Provenance;
}

/** Something that failed. Resolved when the same thing succeeded later. */
export interface Trouble {
  readonly what: string;
  /** What was tried. */
  readonly kind: ToolAction['kind'] | 'other';
  /** The same for all that tried the same: of a command or a change, the command or the path. */
  readonly key: string;
  /** Of a command: where it ran, where that was not the folder of the conversation. */
  readonly folder?: string | undefined;
  readonly message: string;
  resolved: boolean;
  readonly refused: boolean;
  readonly step: number;
  readonly from: Provenance;
}

/** A question that the agent put to the user, and the answer. */
interface Answered {
  /** Empty where the agent showed its plan. */
  readonly question: string;
  readonly text: string;
  readonly step: number;
  readonly from: Provenance;
}

export interface RecentResult {
  readonly what: string;
  readonly text: SafeText;
  readonly from: Provenance;
}

export interface WaitingCall {
  readonly tool: string;
  readonly actions: readonly ToolAction[];
  readonly step: number;
  readonly from: Provenance;
}

/** A command with the folder that it ran in, as one would type it from the folder of the conversation. */
export const inItsFolder = ({ command, folder }: { readonly command: string; readonly folder?: string | undefined }) =>
  folder === undefined ? command : `cd ${folder} && ${command}`;

/** What ran in another folder is another command. */
export const commandKey = ({ command, folder }: Pick<LedgerCommand, 'command' | 'folder'>): string =>
  folder === undefined ? command : `${folder}\n${command}`;

export function createLedger(): Ledger {
  return {
    step: 0,
    lastDone: 0,
    since: { commands: 0, failed: 0 },
    place: {},
    firstRequest: undefined,
    requests: [],
    standing: [],
    refusals: [],
    shell: [],
    lastInput: undefined,
    notes: [],
    summary: undefined,
    plan: undefined,
    compactions: 0,
    tasks: new Map(),
    droppedTasks: { listed: 0, single: 0 },
    files: new Map(),
    commands: new Map(),
    searches: new Map(),
    troubles: [],
    answers: [],
    recent: [],
    mentions: new Mentions(),
    waiting: new Map(),
  };
}
