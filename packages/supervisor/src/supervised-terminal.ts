import type {
  AgentEvent,
  AskedPermission,
  AutoHandoffVerdict,
  ChosenPermission,
  ContextRefreshState,
  ContextUsage,
  HandoffBudget,
  PressureMark,
  RenewalReason,
  RenewalState,
  StepContextAction,
  Store,
  TerminalPolicy,
  TerminalState,
  TypingOutcome,
} from '@devs/core';
import type { EndReport } from '@devs/terminals';
import type { PermissionAnswered } from './act/answer-permission.js';
import type { ContextActionOutcome } from './act/context-action.js';
import type { InterruptOutcome } from './act/interrupt-turn.js';
import type { StopMode } from './act/stop-agent.js';
import type { UserPresence } from './attendance.js';
import type { UserLaunch } from './launch/stored-launch.js';
import type { TerminalNotice } from './notice.js';
import type { CheckpointMode, DialogAnswer, HeldTask, OwnWords } from './supervision.js';
import type { TerminalContext } from './terminal-context.js';

export interface SuperviseRequest extends Omit<TerminalContext, 'store'> {
  /** Of the terminal: letters, digits, dots, dashes and underscores. */
  readonly name: string;
  readonly store: Pick<Store, 'log' | 'tasks' | 'leases' | 'state'>;
  /** What to start where nothing runs. Without it only what runs, or was left, is taken up. */
  readonly launch?: (UserLaunch & { readonly firstPrompt?: string }) | undefined;
  /** The arguments as the user typed them, where nothing is to be started and the caller knows them: records have no secrets. */
  readonly knownArgs?: readonly string[];
  /**
   * Where it was stopped before, its conversation is opened again instead of a new one, as far as its CLI can. `prompt`: what the
   * agent is told then, where that is not the usual; nothing where it is empty, as its user is there.
   */
  readonly resumesStopped?: { readonly prompt?: string };
  /** A folder of this terminal that only the user can read. */
  readonly privateFolder: string;
  /** The user works in it themselves: nothing is typed, ended or answered for them. */
  readonly attended?: boolean;
  /**
   * Its supervisor sets its limits: giving up ends the agent first. Otherwise the agent belongs to its user, and
   * continues.
   */
  readonly endsAgentWhenGivenUp?: boolean;
  readonly policy?: Partial<TerminalPolicy>;
  /** What the agent works on, claimed from the queue. It is kept alive, carried by renewals, and released when it is stopped. */
  readonly task?: HeldTask;
  /** Whether there is something left to do, where it is not in the queue. */
  readonly hasWorkLeft?: () => boolean;
  /** What the work has left so far, for an agent that takes it up after another one died. Must not reject. */
  leftWork?(): Promise<string | undefined>;
  /** What it works on is at its end, or it is about to be compacted or cleared: then it is not renewed, nor told anything. */
  isConversationOver?(): Promise<boolean>;
  readonly checkpoints?: CheckpointMode;
  /** Default: `when-needed`, where the document that is built without the agent lacks something. */
  readonly ownWords?: OwnWords;
  /** Questions of the agent that are answered while its user is away; none by default. */
  readonly answers?: readonly DialogAnswer[];
  readonly budget?: HandoffBudget;
  /** Where the tool `handoff_write` stores what agents write. */
  readonly handoffStream?: string;
  /** Must not throw. */
  onNotice?(notice: TerminalNotice): void;
  /** What was seen of its agents, after it was taken in. Must not throw. */
  onAgentEvent?(event: AgentEvent, agentId: string): void;
  /** Something of `status()` may be different now. Must not throw. */
  onChange?(): void;
}

export type SuperviseOutcome =
  | { readonly status: 'supervised'; readonly terminal: SupervisedTerminal }
  /** A live process supervises it. */
  | { readonly status: 'held'; readonly by: string; readonly until: number }
  /** Nothing runs under this name, nothing was left to continue, and no command was given. */
  | { readonly status: 'nothing-to-supervise' }
  /** Something runs under this name that devs did not start there. */
  | { readonly status: 'foreign'; readonly pid: number }
  | { readonly status: 'not-started'; readonly error: string };

export interface SupervisedTerminal {
  readonly name: string;
  status(): TerminalStatus;
  /**
   * Types a prompt and confirms its arrival. The caller's own wish: also while the user is there, but never over their
   * draft.
   */
  send(text: string, only?: SendOnly): Promise<TypingOutcome>;
  /** Ends the turn that is under way, and sees that in the agent's own record. `words`: what the agent is told instead. */
  interrupt(words?: string): Promise<InterruptOutcome>;
  renew(wish?: RenewWish): Promise<RenewOutcome>;
  /** Answers a permission that the agent asks for, and sees it settled in the agent's own record. */
  answerPermission(requestId: string, chosen: ChosenPermission): Promise<PermissionAnswered>;
  /** Another process in the agent's own conversation. What goes wrong with that needs the user, as after a crash. */
  restart(why: 'tools'): Promise<void>;
  /** What the current agent would leave to another, written without it. `undefined` where none runs. */
  handoff(): Promise<string | undefined>;
  /** Goes back to the conversation before the last renewal. */
  undoRenewal(): Promise<UndoOutcome>;
  /** What a step of a workflow asks for; performed when the agent is idle. */
  contextAction(action: StepContextAction): Promise<ContextActionOutcome>;
  /** A task or step has ended. */
  boundary(): void;
  /** The user attached, typed, or left. */
  user(is: UserPresence): void;
  /** Everything that needed the user is settled. */
  settle(): Promise<void>;
  /** Ends the agent with everything that it started, and tells what that was; its task goes back to the queue unless it is kept. */
  stop(manner?: StopMode): Promise<EndReport>;
  /** Releases it. The agent continues, and the next supervisor takes it up. */
  close(): Promise<void>;
  /** Lets go for good, with or without a store; ends the agent first where `endsAgentWhenGivenUp` says so. Never rejects. */
  giveUp(): Promise<void>;
}

/** Asked when its turn has come: what went before it, such as a renewal, may have made it needless. */
interface SendOnly {
  readonly if: () => boolean | Promise<boolean>;
}

export interface RenewWish {
  /** Not if the user has unsent text at its prompt: that would be lost (H17). */
  readonly keepsDraft?: boolean;
}

export type RenewOutcome =
  | {
      readonly status: 'renewed';
      readonly refreshCount: number;
      readonly resumeCommand?: string;
      /** The new agent was started, and was not seen to take up the work. */
      readonly missed?: string;
      /** Given by hand to the old agent: the new one will ask again. */
      readonly grants: readonly { readonly tool: string; readonly detail: string }[];
      /** What ran under the old agent, and was ended with it. */
      readonly alsoEnded: readonly string[];
    }
  | { readonly status: 'refused'; readonly reason: RenewalRefusal | 'no agent' | 'arguments held a secret' | 'draft' }
  | { readonly status: 'abandoned' }
  | { readonly status: 'failed'; readonly error: string };

/** Why a guard of seed 002 was against it. */
export type RenewalRefusal = Extract<AutoHandoffVerdict, { refresh: false }>['reason'];

export type UndoOutcome =
  | { readonly status: 'undone'; readonly conversationId: string }
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'failed'; readonly error: string };

/** One terminal as viewers see it. */
export interface TerminalStatus {
  readonly name: string;
  readonly agent: string;
  readonly agentId?: string;
  readonly conversationId?: string;
  readonly folder: string;
  /** With the evidence; missing where no process is followed. */
  readonly state?: TerminalState;
  readonly exitCode?: number;
  readonly isAttended: boolean;
  readonly usage?: ContextUsage;
  readonly pressure: number;
  readonly mark: PressureMark;
  /** Why the agent is renewed once it is idle and its user is away. */
  readonly renewalDue?: RenewalReason;
  /** Why it is not renewed now though its context fills up. */
  readonly leftToAgent?: string;
  readonly renewal: RenewalState['phase'];
  /** The names of seed 002. */
  readonly contextRefreshState: ContextRefreshState;
  readonly contextRefreshCount: number;
  /** Another process is about to replace the current or last one: a renewal, an undo, a restart. */
  readonly isReplacing: boolean;
  readonly parkedUntil?: number;
  /** What only the user can do. */
  readonly needs?: {
    readonly kind: 'escalation' | 'answer' | 'arguments';
    readonly detail: string;
    /** The last lines that it shows, where it waits for an answer. */
    readonly screen?: string;
  };
  /** What it asks for, where it takes an answer without typing. */
  readonly permission?: AskedPermission;
  readonly taskId?: string;
  readonly checkpoint?: string;
  /** How to open the conversation before the last renewal. */
  readonly resumeCommand?: string;
  readonly notes: readonly string[];
}
