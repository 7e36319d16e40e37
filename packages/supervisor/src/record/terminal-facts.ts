import {
  type AgentSettings,
  type ContextUsage,
  defineStream,
  type HandoffDocument,
  isOwnPrompt,
  type RenewalEvent,
  type StoredEvent,
} from '@devs/core';
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
  /** What it tells, as data; missing in records of older versions. */
  readonly told?: HandoffDocument;
  readonly checkpoint?: string;
}

export interface AgentFacts {
  readonly agentId: string;
  readonly conversationId?: string;
  readonly path?: string;
  /** The handoff that its conversation began from. */
  readonly document?: string;
  readonly told?: HandoffDocument;
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

const MAX_KEPT = 20;
const MAX_TYPED = 3;

/** Pure: what is known after one more event of the terminal's stream. */
export const addTerminalFact = (facts: TerminalFacts, stored: StoredEvent): TerminalFacts =>
  TERMINAL_STREAM.add(facts, stored);

const TERMINAL_STREAM = defineStream<TerminalFacts, TerminalEvent | RenewalEvent>({
  'terminal.opened': (facts, { launch }) => ({ ...facts, launch, isStopped: false }),
  'restart.started': (facts, event, { at }) => ({
    ...restarted(facts, event.why, at),
    restart: event,
    isStopped: false,
    resumesInARow: event.why === 'crash' || event.why === 'again' ? facts.resumesInARow + 1 : facts.resumesInARow,
  }),
  'restart.failed': (facts, { agentId }) => (facts.restart?.agentId === agentId ? without(facts, 'restart') : facts),
  'agent.spawned': (facts, event) => spawned(facts, event),
  'agent.exited': (facts, { agentId, exit }, { at }) =>
    ofAgent(facts, agentId, (agent) => ({ ...agent, exit, exitedAt: at })),
  'agent.cleared': (facts, { agentId, alsoEnded }) =>
    ofAgent(facts, agentId, (agent) => ({ ...agent, isCleared: true, alsoEnded })),
  'agent.worked': (facts) => ({ ...facts, resumesInARow: 0 }),
  'conversation.observed': (facts, { agentId, conversationId, path }) =>
    ofAgent(facts, agentId, (agent) => ({ ...agent, conversationId, ...(path === undefined ? {} : { path }) })),
  'usage.observed': (facts, { usedTokens, windowTokens }) => ({ ...facts, usage: { usedTokens, windowTokens } }),
  'settings.observed': (facts, { settings }) => ({ ...facts, settings: { ...facts.settings, ...settings } }),
  'permission.observed': (facts, { tool, detail }) =>
    ofAgent(facts, facts.agent?.agentId, (agent) => ({
      ...agent,
      grants: [...agent.grants, { tool, detail }].slice(-MAX_KEPT),
    })),
  'terminal.parked': (facts, { until, why }) => ({
    ...facts,
    parkedUntil: until,
    parkedWhy: why,
    parksInARow: facts.parksInARow + 1,
  }),
  'park.ended': (facts) => without(facts, 'parkedUntil', 'parkedWhy'),
  'limit.passed': (facts) => ({ ...without(facts, 'parkedUntil', 'parkedWhy', 'escalation'), parksInARow: 0 }),
  'escalation.raised': (facts, { why }, { at }) => ({ ...facts, escalation: why, waitsSince: at }),
  'escalation.settled': (facts) => without(facts, 'escalation'),
  'terminal.stopped': (facts) => ({
    ...without(facts, 'restart', 'parkedUntil', 'parkedWhy', 'escalation', 'untold'),
    isStopped: true,
  }),
  'prompt.intended': (facts, { promptId, text }) => ({
    ...(isOwnPrompt(text) ? without(facts, 'untold') : without(facts, 'untold', 'wentBack')),
    prompt: { promptId, text },
    typed: [...facts.typed, text].slice(-MAX_TYPED),
  }),
  'prompt.repeated': (facts, { promptId }) => ({ ...facts, prompt: { promptId, text: facts.typed.at(-1) ?? '' } }),
  'text.intended': (facts, { text }) => ({ ...facts, typed: [...facts.typed, text].slice(-MAX_TYPED) }),
  'prompt.observed': (facts) => without(facts, 'untold', 'wentBack', 'escalation'),
  'prompt.settled': (facts, { promptId }) => (facts.prompt?.promptId === promptId ? without(facts, 'prompt') : facts),
  'context-action.performed': (facts, event) => ({ ...facts, contextAction: event }),
  'context-action.settled': (facts) => without(facts, 'contextAction'),
  'renewal.started': (facts, _, { position }) => ({
    ...facts,
    renewalsStarted: facts.renewalsStarted + 1,
    renewalPosition: position,
  }),
  'document.verified': ({ told: _, ...facts }, { document, told }) => ({
    ...facts,
    document,
    ...(told === undefined ? {} : { told }),
  }),
  'checkpoint.saved': (facts, { ref }) => ({ ...facts, checkpoint: ref }),
});

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
  const { document, told, from } = isRestart
    ? originFor(facts, restart)
    : { document: facts.document, told: facts.told, from: old?.conversationId };
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
      ...(told === undefined ? {} : { told }),
      ...(document === undefined || from === undefined ? {} : { from }),
    },
    before: old === undefined ? facts.before : [old, ...facts.before].slice(0, MAX_KEPT),
  };
}

/** The handoff that a conversation begins from, or began from. It belongs to its instructions for as long as it lives. */
export const documentFor = (facts: TerminalFacts, restart: RestartStarted): string | undefined =>
  originFor(facts, restart).document;

type Origin = Pick<AgentFacts, 'document' | 'told' | 'from'>;

function originFor({ agent, before }: TerminalFacts, { conversation, why }: RestartStarted): Origin {
  if (why === 'again') return agent ?? {};
  if (conversation.kind !== 'resume') return {};
  const known = [...(agent === undefined ? [] : [agent]), ...before];
  return known.find(({ conversationId }) => conversationId === conversation.id) ?? {};
}

const ofAgent = (
  facts: TerminalFacts,
  agentId: string | undefined,
  change: (agent: AgentFacts) => AgentFacts,
): TerminalFacts =>
  facts.agent !== undefined && facts.agent.agentId === agentId ? { ...facts, agent: change(facts.agent) } : facts;

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
