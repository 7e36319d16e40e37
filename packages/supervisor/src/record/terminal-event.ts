import type { AgentSettings, LaunchConversation, StepContextAction } from '@devs/core';

/**
 * Events of a supervised terminal besides its renewals, in the same stream. Every start, end and typing is recorded
 * here before it is performed.
 */
export type TerminalEvent =
  | { readonly type: 'terminal.opened'; readonly launch: StoredLaunch }
  /** Another process will run in the terminal, under this id; the current one will be ended first. */
  | RestartStarted
  | { readonly type: 'restart.failed'; readonly agentId: string; readonly error: string }
  /**
   * Also the agent that a renewal waits for. `untold`: text that did not fit on its command line and must be typed.
   * `carries`: it was started with a prompt.
   */
  | {
      readonly type: 'agent.spawned';
      readonly agentId: string;
      readonly conversationId?: string;
      readonly untold?: string;
      readonly carries?: true;
    }
  | { readonly type: 'agent.exited'; readonly agentId: string; readonly exit: AgentExitFacts }
  /** Everything of it is gone, and the host has forgotten it: what runs in the terminal from now on is another one. */
  | { readonly type: 'agent.cleared'; readonly agentId: string; readonly alsoEnded: readonly string[] }
  /** It has ended a turn: a restart before it was worth it. */
  | { readonly type: 'agent.worked'; readonly agentId: string }
  | {
      readonly type: 'conversation.observed';
      readonly agentId: string;
      readonly conversationId: string;
      readonly path?: string;
    }
  /** How full the context is: at the end of each turn, and within one whenever it has changed by a fiftieth of the window. */
  | {
      readonly type: 'usage.observed';
      readonly usedTokens: number;
      readonly windowTokens: number;
      readonly endsTurn?: true;
      /** Of the agent process so far, as it states it itself. */
      readonly processUsd?: number;
    }
  | { readonly type: 'settings.observed'; readonly settings: AgentSettings }
  | { readonly type: 'permission.observed'; readonly tool: string; readonly detail: string }
  | { readonly type: 'terminal.parked'; readonly until: number; readonly why: string }
  | { readonly type: 'park.ended' }
  | { readonly type: 'limit.passed' }
  /** The built-in agent put the specs in front again by itself, had cut-off output completed, or a malformed answer corrected. */
  | {
      readonly type: 'protocol.observed';
      readonly what: 're-injected' | 'resumed' | 'corrected';
      readonly tokens?: number;
    }
  /** Typed into the conversation by devs: the specs again, or what the agent's own compaction may have left out. */
  | { readonly type: 'reminder.given'; readonly kind: 'specs' | 'ledger'; readonly tokens: number }
  /** It is not renewed although it is full: its own compaction takes over. */
  | { readonly type: 'agent.left-alone'; readonly why: string }
  /** A turn that did not end is ended, for a renewal that is overdue. */
  | { readonly type: 'turn.cut-short'; readonly why: string }
  /** Something that devs wanted to do, or to know, did not work. */
  | { readonly type: 'trouble.met'; readonly detail: string }
  | { readonly type: 'escalation.raised'; readonly why: string }
  | { readonly type: 'escalation.settled' }
  | { readonly type: 'terminal.stopped' }
  | { readonly type: 'dialog.answered'; readonly question: string; readonly keys: string }
  | { readonly type: 'prompt.intended'; readonly promptId: string; readonly text: string }
  /** The prompt that was intended last is tried again: its text is stored already. */
  | { readonly type: 'prompt.repeated'; readonly promptId: string }
  /** Words of devs itself that are about to be typed: what of them is left in the input is no draft of the user. */
  | { readonly type: 'text.intended'; readonly text: string }
  /** The user gave it work directly: nothing waits for them any more. */
  | { readonly type: 'prompt.observed' }
  | { readonly type: 'prompt.settled'; readonly promptId: string; readonly outcome: string }
  | {
      readonly type: 'context-action.performed';
      readonly action: StepContextAction;
      readonly attempt: number;
      readonly at: number;
      /** The agent's previous conversation. */
      readonly conversationId?: string;
    }
  | { readonly type: 'context-action.settled'; readonly action: StepContextAction; readonly outcome: string };

export interface RestartStarted {
  readonly type: 'restart.started';
  readonly agentId: string;
  readonly conversation: LaunchConversation;
  readonly why: RestartReason;
}

/**
 * `first`: as the user asked · `crash`: its own conversation again · `again`: as it was started, since it died before it had
 * one · `undo`: the conversation before the last renewal · `clear`: an empty one · `resumed`: its own again, after a stop ·
 * `tools`: its own again, since it had no workflow tools
 */
export type RestartReason = 'first' | 'crash' | 'again' | 'undo' | 'clear' | 'resumed' | 'tools';

/** What the user started the terminal with. No value of the environment, and no argument that looks like a secret. */
export interface StoredLaunch {
  readonly agent: string;
  readonly folder: string;
  readonly command?: string;
  readonly userArgs: readonly string[];
  /** An argument was left out because it looks like a secret: only its user can start it again. */
  readonly hidden?: boolean;
  readonly environment: readonly string[];
  readonly systemPrompt?: string;
}

/** `lost`: no one saw it end, because the host of its terminal had died. */
export interface AgentExitFacts {
  readonly kind: 'clean' | 'crashed' | 'ended' | 'lost';
  readonly exitCode?: number;
  readonly signal?: number;
  readonly wasBusy?: boolean;
}
