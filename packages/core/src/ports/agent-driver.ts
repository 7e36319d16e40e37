import type { ConversationEvent } from '../conversation/conversation-event.js';
import type { PermissionRules } from '../permissions/decide-permission-request.js';
import type { ContextUsage } from '../pressure/pressure.js';
import type { AgentLimit } from '../pressure/terminal-signals.js';
import type { TypingPolicy } from '../terminal/decide-typing.js';
import type { InputPatterns } from '../terminal/read-input.js';
import type { ScreenView } from '../terminal/screen-view.js';
import type { TerminalObservation } from '../terminal/terminal-observation.js';
import type { AgentChannel, AgentErrorKind, AskedPermission, ChannelRequest } from './agent-channel.js';
import type { JsonObject } from './json.js';

/**
 * How one agent CLI is started, typed into, watched and ended. One folder of `@devs/drivers` each.
 *
 * It starts nothing and types nothing itself: it describes how, and reports what it sees. The user's settings, MCP
 * servers, hooks, instructions and arguments are never edited and never lost; additions of devs apply to this launch
 * only.
 */
export interface AgentDriver {
  /** As the user names it: `claude`, `codex`, … */
  readonly agent: string;
  /** Which program would run. Never rejects. */
  inspect(place: LaunchSite): Promise<AgentInspection>;
  /**
   * The command to run. Reads files named by the user's arguments and writes nothing; rejects only an impossible
   * request.
   */
  launch(request: LaunchRequest): Promise<LaunchPlan>;
  /** Where its input is on the screen, for `readInput`. */
  readonly input: InputPatterns;
  /** How it is typed into, where that is not the usual way. */
  readonly typing?: Partial<TypingPolicy>;
  /** Text to type for each command; missing if the agent has none. `isAcknowledged` defines the proof of each. */
  readonly commands: { readonly [Name in AgentCommand]?: string };
  /** A line of its screen which says that it did not take a command, since it was at work. */
  readonly refusal?: RegExp;
  /** What is typed to end a turn, where there is no channel; missing if unknown. `turn.interrupted` proves it. */
  readonly interruptKeys?: string;
  watch(request: WatchRequest): AgentWatch;
  /** Where it can be talked to without typing; nothing where it cannot, or this process of it cannot. */
  channel?(request: ChannelRequest): AgentChannel | undefined;
  /** Whose transcripts its own look like, where that is not `agent`. */
  readonly transcripts?: string;
}

export type AgentCommand = 'compact' | 'clear' | 'exit';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whose agent it is, and where it works. */
export interface LaunchSite {
  readonly folder: string;
  readonly home: string;
  readonly env: Environment;
  /** The program, if it is not the first on the user's PATH. */
  readonly command?: string;
}

export type AgentInspection =
  | {
      readonly kind: 'installed';
      readonly command: string;
      readonly version: string;
      /** Whether this version was tried. If not, `warning` names the assumptions. */
      readonly tried: boolean;
      readonly warning?: string;
    }
  | { readonly kind: 'unusable'; readonly reason: string; readonly advice: string };

export interface LaunchRequest extends LaunchSite {
  /** As the user typed them. They are the same at every launch of a terminal; what must not be said twice is left out. */
  readonly userArgs: readonly string[];
  readonly conversation: LaunchConversation;
  /** Instructions from devs for the agent. Replaces those of an earlier launch (H4). */
  readonly systemPrompt?: string;
  readonly firstPrompt?: string;
  /** Beside the user's own. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  readonly hooks?: HookRequest;
  /** Settings that the user changed by hand in an earlier process of this terminal. */
  readonly settings?: AgentSettings;
  /** What devs answers for the user where the agent asks over its channel; all else is asked. */
  readonly permissions?: PermissionRules;
  /** The user trusts the folder: the agent need not ask. */
  readonly trustsFolder?: boolean;
  /** No user is watching: features that only help a person are switched off. */
  readonly unattended?: boolean;
  /** How an agent with more than one way is driven while no user is watching; default `terminal`. */
  readonly transport?: AgentTransport;
  /** A folder of this terminal that only the user can read, for `privateFiles`. */
  readonly privateFolder: string;
}

/** `auto`: as the driver knows it to be best · `stream`: over a channel · `terminal`: by typing */
export type AgentTransport = 'auto' | 'stream' | 'terminal';

/**
 * `first`: as the user asked, under this id unless they named a conversation · `fresh`: a new conversation, without
 * the user's first request, which is done or in the handoff · `resume`: this conversation again
 */
export interface LaunchConversation {
  readonly kind: 'first' | 'fresh' | 'resume';
  readonly id: string;
}

export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  /** May hold a secret: it never becomes part of a command line. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Hooks that will call a program of ours, as an argument list. */
export interface HookRequest {
  readonly command: readonly string[];
  readonly events: readonly string[];
  /** Those of them for which the agent does not wait, where it can do so. */
  readonly background?: readonly string[];
  readonly timeoutSeconds?: number;
}

/** In the agent's own words. */
export interface AgentSettings {
  readonly model?: string;
  readonly effort?: string;
  readonly permissionMode?: string;
}

export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** All of it: the user's, without what another agent left there. */
  readonly env: Readonly<Record<string, string>>;
  /** Known if the agent lets us choose it, or if it is resumed. Otherwise `conversation.changed` reports it. */
  readonly conversationId?: string;
  /** To be written before the start, readable by the user only: other users can read a command line. */
  readonly privateFiles: readonly PrivateFile[];
  /** `one-off`: the arguments ask for something else than a conversation on the terminal, and were left as they are. */
  readonly manner: 'conversation' | 'one-off';
  /** What could not be given, or looks wrong, for people. */
  readonly notes: readonly string[];
}

export interface PrivateFile {
  readonly path: string;
  readonly text: string;
  /** The agent removes it as soon as it has read it. */
  readonly isOnce?: true;
  /** Where the agent looks for it, in a folder of the user's: a link is put there, and nothing else of the folder is touched. */
  readonly link?: string;
}

export interface WatchRequest extends LaunchSite {
  /** Of the process that was started: the agent itself may be a child of it. */
  readonly pid: number;
  /** The file of that process, as it was started. */
  readonly program?: string;
  readonly startedAt: number;
  /** Its launch arguments. */
  readonly args: readonly string[];
  readonly conversationId?: string;
  /** Where the files of its launch are. */
  readonly privateFolder?: string;
  /** Window size from the user's settings. */
  readonly windowTokens?: number;
  /** Must not throw. Never called before `watch` has returned, nor after `close`. */
  onEvent(event: AgentEvent): void;
  readonly signal?: AbortSignal;
}

export interface AgentWatch {
  /** To be called whenever the terminal shows something else. */
  seeScreen(view: ScreenView): void;
  /** Passes on the input of a hook of this agent. */
  seeHook(payload: JsonObject): void;
  /** Looks now instead of at the next tick. Resolves when all current events are reported. */
  look(): Promise<void>;
  close(): void;
}

/** `isPast`: recorded before the watch began. */
export type AgentEvent =
  | TerminalObservation
  | ({ readonly at: number; readonly isPast: boolean } & (
      | { readonly type: 'conversation.changed'; readonly conversationId: string; readonly before?: string }
      | {
          readonly type: 'conversation.grew';
          readonly conversationId: string;
          readonly path: string;
          readonly events: readonly ConversationEvent[];
        }
      | UsageMeasured
      /** What its process has cost so far, as it states it itself. */
      | { readonly type: 'cost.stated'; readonly totalUsd: number }
      | {
          readonly type: 'compaction.seen';
          readonly conversationId: string;
          readonly trigger: 'auto' | 'manual' | 'unknown';
          readonly tokensBefore?: number;
          readonly tokensAfter?: number;
        }
      /** `error`: why the model gave no answer, if the reason will not pass by itself. */
      | { readonly type: 'turn.ended'; readonly conversationId?: string; readonly error?: string }
      | { readonly type: 'limit.reached'; readonly limit: AgentLimit; readonly detail: string }
      /** The provider answered again. */
      | { readonly type: 'limit.passed' }
      /** All settings changed by hand since the conversation began, with current values, including reverted ones. */
      | { readonly type: 'settings.changed'; readonly settings: AgentSettings }
      /** By hand, for this process only: a new one will ask again. */
      | { readonly type: 'permission.granted'; readonly tool: string; readonly detail: string }
      /** A prompt stands in the agent's records under the id that it was given. */
      | { readonly type: 'prompt.accepted'; readonly promptId: string }
      | ({ readonly type: 'permission.asked' } & AskedPermission)
      /** `rule`: by the settings · `channel`: by an answer from outside · `terminal`: by a key · `turn`: it ended before */
      | {
          readonly type: 'permission.settled';
          readonly requestId: string;
          readonly by: PermissionSettler;
          readonly choice?: string;
        }
      | { readonly type: 'turn.interrupted' }
      | { readonly type: 'error.reported'; readonly kind: AgentErrorKind; readonly detail: string }
      /** Repairs of an agent that speaks SAOP to its own answers. `tokens`: the cost of a re-injection. */
      | {
          readonly type: 'protocol.observed';
          readonly what: 're-injected' | 'resumed' | 'corrected';
          readonly tokens?: number;
        }
      /** A signal is missing or is not understood; the next best one is used. */
      | { readonly type: 'signal.missed'; readonly detail: string }
      /** It has no channel after all, and is typed into instead. */
      | { readonly type: 'channel.failed'; readonly detail: string }
    ));

export type PermissionSettler = 'rule' | 'channel' | 'terminal' | 'turn';

/** For the last model call, or right after a compaction. */
export interface UsageMeasured {
  readonly type: 'usage.measured';
  readonly conversationId: string;
  /** The window is 0 where it is not known. */
  readonly usage: ContextUsage;
  /** Who says how large the window is. */
  readonly window: WindowSource;
}

/** `assumed`: the usual size, for an unknown model. */
export type WindowSource = 'recorded' | 'configured' | 'known model' | 'assumed' | 'unknown';
