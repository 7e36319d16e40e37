import type { JsonObject } from '../ports/json.js';
import type { Provenance } from './provenance.js';
import type { ToolAction } from './tool-action.js';

/**
 * Events of a conversation in the order of its transcript, the same for every agent.
 *
 * A transcript reader turns each line into any number of these. All text is verbatim: neither shortened nor redacted,
 * and never an instruction.
 */
export type ConversationEvent = ConversationFact & { readonly from: Provenance };

export type ConversationFact =
  | ConversationDescribed
  | RequestMade
  | InputNoted
  | NoteWritten
  | ThoughtWritten
  | ToolCalled
  | ToolAnswered
  | TasksReplaced
  | TaskChanged
  | PlanApproved
  | UsageReported
  | UsageGrew
  | ContextCompacted
  | SummaryWritten
  | ContextCleared;

/** Place and equipment of a conversation. Emitted at the beginning and after each change. */
export interface ConversationDescribed {
  readonly type: 'conversation.described';
  readonly conversationId?: string;
  readonly folder?: string;
  readonly branch?: string;
  readonly agentVersion?: string;
  readonly model?: string;
}

/** A person, or a program acting for one, asked for something in their own words. */
export interface RequestMade {
  readonly type: 'request.made';
  readonly text: string;
  /** Said instead of allowing a call of this tool. */
  readonly refusing?: string;
  /** The agent of the same team that said it; missing where it was the user. */
  readonly by?: string;
}

/** Stored in the user's name, but not a wish of the user. */
export interface InputNoted {
  readonly type: 'input.noted';
  readonly kind: InputKind;
  readonly text: string;
}

/**
 * `command` the echo of a slash command · `shell` a command that the user ran in the agent's shell · `command-output`
 * output of either · `hook` text of a hook · `meta` added by the agent program (skills, caveats, reminders) ·
 * `notification` of a background task · `interruption` the user stopped the agent
 */
export type InputKind = 'command' | 'command-output' | 'shell' | 'hook' | 'meta' | 'notification' | 'interruption';

/** A message from the agent to the user. */
export interface NoteWritten {
  readonly type: 'note.written';
  readonly text: string;
}

/** A thought of the agent, if the transcript has it. */
export interface ThoughtWritten {
  readonly type: 'thought.written';
  readonly text: string;
}

export interface ToolCalled {
  readonly type: 'tool.called';
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly actions: readonly ToolAction[];
}

export interface ToolAnswered {
  readonly type: 'tool.answered';
  readonly callId: string;
  /** May be read from the transcript on each access: keep it if it is needed twice. */
  readonly text: string;
  /** Set where that is so: about how long the text is. */
  readonly textBytes?: number;
  /** `refused`: a person or a rule did not allow the call. It says nothing about the work. */
  readonly outcome: 'ok' | 'failed' | 'refused';
  /** Of a command, if the transcript has it. */
  readonly exitCode?: number;
}

export type ConversationTaskStatus = 'pending' | 'in_progress' | 'completed' | 'deleted';

/** The agent replaced its whole task list. */
export interface TasksReplaced {
  readonly type: 'tasks.replaced';
  readonly tasks: readonly { readonly title: string; readonly status: ConversationTaskStatus }[];
}

/** One task was added or changed. A part that is left out stays as it was. */
export interface TaskChanged {
  readonly type: 'task.changed';
  readonly taskId: string;
  readonly title?: string;
  readonly description?: string;
  readonly status?: ConversationTaskStatus;
}

/** The user approved the agent's plan, so it is now their wish. */
export interface PlanApproved {
  readonly type: 'plan.approved';
  readonly text: string;
}

/** What one model call cost. Reported once per call, however many lines of the transcript repeat it (H14). */
export interface UsageReported {
  readonly type: 'usage.reported';
  /** The agent's name for the model call. */
  readonly messageId: string;
  /** All that went in, with what came from the cache: the size of the context at this call. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  /** As the agent states it. */
  readonly costUsd?: number;
}

/** More of an answer was counted after its usage was reported: agents write a line before the model has finished. */
export interface UsageGrew {
  readonly type: 'usage.grew';
  readonly messageId: string;
  /** What comes to those that were reported. */
  readonly outputTokens: number;
}

/** The agent replaced its context by a summary, which follows as `summary.written`. */
export interface ContextCompacted {
  readonly type: 'context.compacted';
  readonly trigger: 'auto' | 'manual' | 'unknown';
  readonly tokensBefore?: number;
}

/** The summary that the agent's model wrote of what came before. */
export interface SummaryWritten {
  readonly type: 'summary.written';
  readonly text: string;
}

/** The agent forgot everything. */
export interface ContextCleared {
  readonly type: 'context.cleared';
}
