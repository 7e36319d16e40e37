import type { AgentSettings, ContextUsage, RenewalEvent, StoredEvent } from '@devs/core';
import { isOwnPrompt } from '../renewal/handoff-request.js';
import type { AgentExitFacts, RestartReason, RestartStarted, StoredLaunch, TerminalEvent } from './terminal-event.js';

/** Record of one terminal: enough for a successor to continue. */
export interface TerminalFacts {
  readonly launch?: StoredLaunch;
  readonly agent?: AgentFacts;
  /** Promised and not finished. */
  readonly restart?: RestartStarted;
  /** The agents before this one, the last one first. */
  readonly before: readonly AgentFacts[];
  readonly settings: AgentSettings;
  /** The last sample of how full the context is. */
  readonly usage?: ContextUsage;
  readonly parkedUntil?: number;
  readonly parkedWhy?: string;
  readonly parksInARow: number;
  readonly resumesInARow: number;
  readonly escalation?: string;
  /** Since when it waits for its user: later actions of the user are the answer. */
  readonly waitsSince?: number;
  /** The user returned to this conversation, and has said nothing in it since: it is not renewed away. */
  readonly wentBack?: true;
  /** What the agent was to be told at its start, and has to be typed. */
  readonly untold?: { readonly agentId: string; readonly text: string };
  readonly isStopped: boolean;
  /** Typed, with an unknown outcome. */
  readonly prompt?: { readonly promptId: string; readonly text: string };
  /** The last prompts that were typed into the agent that runs: what of them stands in its input is not its user's. */
  readonly typed: readonly string[];
  readonly contextAction?: Extract<TerminalEvent, { type: 'context-action.performed' }>;
  readonly renewalsStarted: number;
  /** Where in the log the last renewal began. */
  readonly renewalPosition: number;
  /** The last handoff that was verified. */
  readonly document?: string;
  readonly checkpoint?: string;
}

export interface AgentFacts {
  readonly agentId: string;
  readonly conversationId?: string;
  readonly path?: string;
  /** The handoff that its conversation began from. */
  readonly document?: string;
  /** The conversation that this handoff was made from. */
  readonly from?: string;
  readonly exit?: AgentExitFacts;
  /** When that was stored. */
  readonly exitedAt?: number;
  /** It was started with a prompt, which its records show when it has taken it. */
  readonly carries?: true;
  readonly isCleared: boolean;
  /** What was still running under it when it was ended. */
  readonly alsoEnded: readonly string[];
  /** Given to it by hand: another one will ask again. */
  readonly grants: readonly { readonly tool: string; readonly detail: string }[];
}

export const NO_FACTS: TerminalFacts = {
  before: [],
  settings: {},
  typed: [],
  parksInARow: 0,
  resumesInARow: 0,
  isStopped: false,
  renewalsStarted: 0,
  renewalPosition: 0,
};

const MOST_KEPT = 20;
const MOST_TYPED = 3;

/** Pure: what is known after one more event of the terminal's stream. */
export function addTerminalFact(facts: TerminalFacts, stored: StoredEvent): TerminalFacts {
  const event = { ...stored.data, type: stored.type } as unknown as TerminalEvent | RenewalEvent;
  switch (event.type) {
    case 'terminal.opened':
      return { ...facts, launch: event.launch, isStopped: false };
    case 'restart.started':
      return {
        ...restarted(facts, event.why, stored.at),
        restart: event,
        isStopped: false,
        resumesInARow: event.why === 'crash' || event.why === 'again' ? facts.resumesInARow + 1 : facts.resumesInARow,
      };
    case 'restart.failed':
      return facts.restart?.agentId === event.agentId ? without(facts, 'restart') : facts;
    case 'agent.spawned':
      return spawned(facts, event);
    case 'agent.exited':
      return ofAgent(facts, event.agentId, (agent) => ({ ...agent, exit: event.exit, exitedAt: stored.at }));
    case 'agent.cleared':
      return ofAgent(facts, event.agentId, (agent) => ({ ...agent, isCleared: true, alsoEnded: event.alsoEnded }));
    case 'agent.worked':
      return { ...facts, resumesInARow: 0 };
    case 'conversation.observed':
      return ofAgent(facts, event.agentId, (agent) => ({
        ...agent,
        conversationId: event.conversationId,
        ...(event.path === undefined ? {} : { path: event.path }),
      }));
    case 'usage.observed':
      return { ...facts, usage: { usedTokens: event.usedTokens, windowTokens: event.windowTokens } };
    case 'settings.observed':
      return { ...facts, settings: { ...facts.settings, ...event.settings } };
    case 'permission.observed':
      return facts.agent === undefined
        ? facts
        : ofAgent(facts, facts.agent.agentId, (agent) => ({
            ...agent,
            grants: [...agent.grants, { tool: event.tool, detail: event.detail }].slice(-MOST_KEPT),
          }));
    case 'terminal.parked':
      return { ...facts, parkedUntil: event.until, parkedWhy: event.why, parksInARow: facts.parksInARow + 1 };
    case 'park.ended':
      return without(facts, 'parkedUntil', 'parkedWhy');
    case 'limit.passed':
      return { ...without(facts, 'parkedUntil', 'parkedWhy', 'escalation'), parksInARow: 0 };
    case 'escalation.raised':
      return { ...facts, escalation: event.why, waitsSince: stored.at };
    case 'escalation.settled':
      return without(facts, 'escalation');
    case 'terminal.stopped':
      return { ...without(facts, 'restart', 'parkedUntil', 'parkedWhy', 'escalation', 'untold'), isStopped: true };
    case 'prompt.intended':
      return {
        ...(isOwnPrompt(event.text) ? without(facts, 'untold') : without(facts, 'untold', 'wentBack')),
        prompt: { promptId: event.promptId, text: event.text },
        typed: [...facts.typed, event.text].slice(-MOST_TYPED),
      };
    case 'prompt.repeated':
      return { ...facts, prompt: { promptId: event.promptId, text: facts.typed.at(-1) ?? '' } };
    case 'text.intended':
      return { ...facts, typed: [...facts.typed, event.text].slice(-MOST_TYPED) };
    case 'prompt.observed':
      return without(facts, 'untold', 'wentBack', 'escalation');
    case 'prompt.settled':
      return facts.prompt?.promptId === event.promptId ? without(facts, 'prompt') : facts;
    case 'context-action.performed':
      return { ...facts, contextAction: event };
    case 'context-action.settled':
      return without(facts, 'contextAction');
    case 'renewal.started':
      return { ...facts, renewalsStarted: facts.renewalsStarted + 1, renewalPosition: stored.position };
    case 'document.verified':
      return { ...facts, document: event.document };
    case 'checkpoint.saved':
      return { ...facts, checkpoint: event.ref };
    default:
      return facts;
  }
}

type Spawned = Extract<TerminalEvent, { type: 'agent.spawned' }>;

/** An agent that the user restarts follows their arguments: earlier changes by hand are over (H18). */
function restarted(facts: TerminalFacts, why: RestartReason, at: number): TerminalFacts {
  const rest = without(facts, 'escalation', 'parkedUntil', 'parkedWhy', 'untold');
  if (why === 'undo') return { ...rest, wentBack: true, waitsSince: at };
  if (why === 'first') return { ...without(rest, 'wentBack'), settings: {} };
  return why === 'clear' ? without(rest, 'wentBack') : rest;
}

function spawned(facts: TerminalFacts, { agentId, conversationId, untold, carries }: Spawned): TerminalFacts {
  if (facts.agent?.agentId === agentId) return facts; // told twice
  const { restart, agent: old } = facts;
  const isRestart = restart?.agentId === agentId;
  const { document, from } = isRestart
    ? originFor(facts, restart)
    : { document: facts.document, from: old?.conversationId };
  const rest = without(facts, 'restart', 'contextAction', 'prompt', 'untold');
  return {
    ...(isRestart ? rest : without(rest, 'wentBack')),
    typed: [],
    // A renewal types for itself what its agent is to be told.
    ...(isRestart && untold !== undefined ? { untold: { agentId, text: untold } } : {}),
    agent: {
      agentId,
      isCleared: false,
      alsoEnded: [],
      grants: [],
      ...(carries === undefined ? {} : { carries }),
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(document === undefined ? {} : { document }),
      ...(document === undefined || from === undefined ? {} : { from }),
    },
    before: old === undefined ? facts.before : [old, ...facts.before].slice(0, MOST_KEPT),
  };
}

/** The handoff that a conversation begins from, or began from. It belongs to its instructions for as long as it lives. */
export const documentFor = (facts: TerminalFacts, restart: RestartStarted): string | undefined =>
  originFor(facts, restart).document;

type Origin = Pick<AgentFacts, 'document' | 'from'>;

function originFor({ agent, before }: TerminalFacts, { conversation, why }: RestartStarted): Origin {
  if (why === 'again') return agent ?? {};
  if (conversation.kind !== 'resume') return {};
  const known = [...(agent === undefined ? [] : [agent]), ...before];
  return known.find(({ conversationId }) => conversationId === conversation.id) ?? {};
}

const ofAgent = (facts: TerminalFacts, agentId: string, change: (agent: AgentFacts) => AgentFacts): TerminalFacts =>
  facts.agent?.agentId === agentId ? { ...facts, agent: change(facts.agent) } : facts;

type Passing =
  | 'restart'
  | 'parkedUntil'
  | 'parkedWhy'
  | 'escalation'
  | 'wentBack'
  | 'untold'
  | 'prompt'
  | 'contextAction';

function without(facts: TerminalFacts, ...keys: readonly Passing[]): TerminalFacts {
  const rest: { -readonly [Key in keyof TerminalFacts]: TerminalFacts[Key] } = { ...facts };
  for (const key of keys) delete rest[key];
  return rest;
}
