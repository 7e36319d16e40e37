import type { AgentEvent, LaunchSite } from './agent-driver.js';

/**
 * A way to an agent beside its screen: nothing is typed into an input, and nothing is read from a picture.
 *
 * Contract: every method resolves when the request is handed over, or says why it is not; it never rejects. What came of it is told
 * by the agent's own records, as events of its watch: `prompt.accepted`, `turn.interrupted`, `compaction.seen`,
 * `conversation.changed`, `usage.measured`, `permission.settled`. A caller who does not see the event does not know.
 */
export interface AgentChannel {
  /** The agent records it under this id. */
  prompt(text: string, id: string): Promise<HandOver>;
  /** Ends the turn that is under way, with the command that it runs. Harmless where there is none. */
  interrupt(): Promise<HandOver>;
  compact(): Promise<HandOver>;
  /** Another conversation, without history. */
  clear(): Promise<HandOver>;
  /** Has the agent say anew how full its context is. */
  usage(): Promise<HandOver>;
  /** `choice`: the id of one of those that `permission.asked` named. `words`: why, which the agent is told. */
  answer(requestId: string, choice: string, words?: string): Promise<HandOver>;
  /** `false`: this process of the agent has no channel after all, and is typed into. Default: `true`. */
  isUsed?(): boolean;
  /** Lets go of it; the agent continues. */
  close?(): void;
}

/** `unsupported`: this agent has no such request · `gone`: the agent has ended · `full`: it does not read now */
export type HandOver = 'handed' | 'unsupported' | 'gone' | 'full';

export interface ChannelRequest extends LaunchSite {
  /** Of the process that was started. */
  readonly pid: number;
  /** Where the files of its launch are. */
  readonly privateFolder?: string;
  /** What the agent tells over the channel, beside what its watch sees. Must not throw. */
  onEvent?(event: AgentEvent): void;
  /** The file of that process, as it was started. */
  readonly program?: string;
  /** Into the input of its terminal. */
  write(data: string): Promise<'written' | 'exited' | 'input-backlog'>;
}

/** What the user can say to a permission that an agent asks for. */
export interface PermissionChoice {
  readonly id: string;
  /** In the agent's words. */
  readonly name: string;
  readonly kind: PermissionChoiceKind;
}

export type PermissionChoiceKind = 'allow-once' | 'allow-always' | 'deny-once' | 'deny-always';

/** A permission that waits for an answer. */
/** What a permission is about. */
export interface PermissionSubject {
  /** As the agent names it. */
  readonly tool: string;
  /** The command, the path or the change. */
  readonly detail: string;
}

export interface AskedPermission extends PermissionSubject {
  readonly requestId: string;
  readonly choices: readonly PermissionChoice[];
}

/** Why a turn got no answer, by what can be done about it. */
export type AgentErrorKind = 'login' | 'model' | 'quota' | 'overload' | 'overflow' | 'policy' | 'other';
