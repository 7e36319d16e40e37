import type { AgentSettings, RenewalEvent, StoredEvent } from '@devs/core';
import type { AgentExitFacts, RestartStarted, StoredLaunch, TerminalEvent } from './terminal-event.js';

/** What is recorded of one terminal: enough for whoever comes next to go on. */
export interface TerminalFacts {
  readonly launch?: StoredLaunch;
  readonly agent?: AgentFacts;
  /** Promised and not finished. */
  readonly restart?: RestartStarted;
  /** The agents before this one, the last one first. */
  readonly before: readonly AgentFacts[];
  readonly settings: AgentSettings;
  readonly parkedUntil?: number;
  readonly parksInARow: number;
  readonly resumesInARow: number;
  readonly escalation?: string;
  readonly isStopped: boolean;
  /** Typed, and nobody knows yet whether it arrived. */
  readonly prompt?: { readonly promptId: string; readonly text: string };
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
  readonly exit?: AgentExitFacts;
  readonly isCleared: boolean;
  /** What was still running under it when it was ended. */
  readonly alsoEnded: readonly string[];
  /** Given to it by hand: another one will ask again. */
  readonly grants: readonly { readonly tool: string; readonly detail: string }[];
}

export const NO_FACTS: TerminalFacts = {
  before: [],
  settings: {},
  parksInARow: 0,
  resumesInARow: 0,
  isStopped: false,
  renewalsStarted: 0,
  renewalPosition: 0,
};

const MOST_KEPT = 20;

/** Pure: what is known after one more event of the terminal's stream. */
export function addTerminalFact(facts: TerminalFacts, stored: StoredEvent): TerminalFacts {
  const event = { ...stored.data, type: stored.type } as unknown as TerminalEvent | RenewalEvent;
  switch (event.type) {
    case 'terminal.opened':
      return { ...facts, launch: event.launch, isStopped: false };
    case 'restart.started':
      return {
        ...without(facts, 'escalation', 'parkedUntil'),
        restart: event,
        isStopped: false,
        resumesInARow: event.why === 'crash' || event.why === 'again' ? facts.resumesInARow + 1 : facts.resumesInARow,
      };
    case 'restart.failed':
      return facts.restart?.agentId === event.agentId ? without(facts, 'restart') : facts;
    case 'agent.spawned':
      return spawned(facts, event);
    case 'agent.exited':
      return ofAgent(facts, event.agentId, (agent) => ({ ...agent, exit: event.exit }));
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
      return { ...facts, parkedUntil: event.until, parksInARow: facts.parksInARow + 1 };
    case 'park.ended':
      return without(facts, 'parkedUntil');
    case 'limit.passed':
      return { ...without(facts, 'parkedUntil'), parksInARow: 0 };
    case 'escalation.raised':
      return { ...facts, escalation: event.why };
    case 'escalation.settled':
      return without(facts, 'escalation');
    case 'terminal.stopped':
      return { ...without(facts, 'restart', 'parkedUntil', 'escalation'), isStopped: true };
    case 'prompt.intended':
      return { ...facts, prompt: { promptId: event.promptId, text: event.text } };
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

function spawned(facts: TerminalFacts, { agentId, conversationId }: Spawned): TerminalFacts {
  if (facts.agent?.agentId === agentId) return facts; // told twice
  const { restart, agent: old } = facts;
  const isRestart = restart?.agentId === agentId;
  const document = isRestart ? documentFor(facts, restart) : facts.document;
  return {
    ...without(facts, 'restart', 'contextAction', 'prompt'),
    agent: {
      agentId,
      isCleared: false,
      alsoEnded: [],
      grants: [],
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(document === undefined ? {} : { document }),
    },
    before: old === undefined ? facts.before : [old, ...facts.before].slice(0, MOST_KEPT),
  };
}

/** The handoff that a conversation begins from, or began from. It belongs to its instructions for as long as it lives. */
export function documentFor(
  { agent, before }: TerminalFacts,
  { conversation, why }: RestartStarted,
): string | undefined {
  if (why === 'again') return agent?.document;
  if (conversation.kind !== 'resume') return undefined;
  return [...(agent === undefined ? [] : [agent]), ...before].find(
    ({ conversationId }) => conversationId === conversation.id,
  )?.document;
}

const ofAgent = (facts: TerminalFacts, agentId: string, change: (agent: AgentFacts) => AgentFacts): TerminalFacts =>
  facts.agent?.agentId === agentId ? { ...facts, agent: change(facts.agent) } : facts;

type Passing = 'restart' | 'parkedUntil' | 'escalation' | 'prompt' | 'contextAction';

function without(facts: TerminalFacts, ...keys: readonly Passing[]): TerminalFacts {
  const rest: { -readonly [Key in keyof TerminalFacts]: TerminalFacts[Key] } = { ...facts };
  for (const key of keys) delete rest[key];
  return rest;
}
