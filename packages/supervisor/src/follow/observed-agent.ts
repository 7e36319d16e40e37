import {
  type AgentErrorKind,
  type AgentEvent,
  type AgentLimit,
  type AgentSettings,
  type AskedPermission,
  type ContextUsage,
  type ConversationEvent,
  kindOfError,
  observeTerminal,
  startedTerminal,
  type TerminalState,
} from '@devs/core';

/** Observations of one agent process while it is followed. */
export interface ObservedAgent {
  readonly startedAt: number;
  readonly state: TerminalState;
  readonly conversationId?: string;
  readonly path?: string;
  readonly usage?: ContextUsage;
  /** Of its process so far, as it states it itself, in US dollars. */
  readonly costUsd?: number;
  /** Of the agent itself, in this conversation. */
  readonly compactions: number;
  readonly compactedSinceLedger: boolean;
  readonly turnsEnded: number;
  readonly turnsSinceReminder: number;
  /** When the model was last heard of. */
  readonly lastTurnAt?: number;
  readonly limit?: AgentLimit & { readonly detail: string };
  /** The last turn of this process got no answer, for a reason that does not pass by itself. */
  readonly failure?: { readonly kind: AgentErrorKind; readonly detail: string; readonly at: number };
  /** As the agent itself named the kind of an error in this turn. */
  readonly errorKind?: AgentErrorKind;
  /** Of this turn: the calls of tools that are under way, and whether there were any. */
  readonly tools: { readonly open: ReadonlySet<string>; readonly wereUsed: boolean };
  readonly settings: AgentSettings;
  readonly boundary?: Boundary;
  readonly missed?: string;
  /** Something was asked of this process, by its own records, or it was seen at work: what it was started with has reached it. */
  readonly isAsked: boolean;
  /** What it asks for, the oldest first, until its own records say that it is settled. */
  readonly permissions: readonly AskedPermission[];
}

/** A task or a step has ended, and the agent has done nothing since. */
interface Boundary {
  readonly at: number;
  /** The agent has come to rest at it. Until then it is still in the turn in which it got there. */
  readonly isRest: boolean;
}

/** What is known besides what the agent shows. */
export type OutsideEvent =
  | { readonly type: 'ledger.given' }
  | { readonly type: 'reminder.given' }
  /** The time that the provider asked for has passed: it is tried again. */
  | { readonly type: 'limit.waited-for' }
  /** Its user says that what was wrong is not any more. */
  | { readonly type: 'failure.settled' }
  /** A task or a step has ended. */
  | { readonly type: 'boundary.reached'; readonly at: number };

const NO_TOOLS: ObservedAgent['tools'] = { open: new Set(), wereUsed: false };

export const unobserved = (startedAt: number): ObservedAgent => ({
  startedAt,
  state: startedTerminal(startedAt),
  compactions: 0,
  compactedSinceLedger: false,
  turnsEnded: 0,
  turnsSinceReminder: 0,
  settings: {},
  isAsked: false,
  permissions: [],
  tools: NO_TOOLS,
});

/** Pure: what is known after one more event. */
export function observeAgent(before: ObservedAgent, event: AgentEvent | OutsideEvent): ObservedAgent {
  const seen = !before.isAsked && showsRequest(event, before.startedAt) ? { ...before, isAsked: true } : before;
  switch (event.type) {
    case 'terminal.spawned':
    case 'terminal.exited':
    case 'signal.seen':
    case 'background.counted':
      return leaveBoundary({ ...seen, state: observeTerminal(seen.state, event) });
    case 'conversation.changed':
      return event.before === undefined
        ? { ...seen, conversationId: event.conversationId }
        : { ...inAnother(seen), conversationId: event.conversationId };
    case 'conversation.grew':
      return {
        ...goneOn(askedAgain(seen, event), event),
        tools: event.events.reduce(afterTool, seen.tools),
        conversationId: event.conversationId,
        path: event.path,
      };
    case 'usage.measured':
      return { ...seen, usage: event.usage, lastTurnAt: Math.max(seen.lastTurnAt ?? 0, event.at) };
    case 'cost.stated':
      return { ...seen, costUsd: event.totalUsd };
    case 'compaction.seen':
      return {
        ...seen,
        compactions: seen.compactions + 1,
        compactedSinceLedger: seen.compactedSinceLedger || !event.isPast,
      };
    case 'turn.ended':
      return event.isPast ? withFailure(seen, event) : afterTurn(withFailure(seen, event), event.at);
    case 'error.reported':
      return event.isPast ? seen : { ...seen, errorKind: event.kind };
    case 'limit.reached':
      return { ...seen, limit: { ...event.limit, detail: event.detail } };
    case 'limit.passed':
    case 'limit.waited-for':
      return withoutLimit(seen);
    case 'failure.settled':
      return withoutFailure(seen);
    case 'settings.changed':
      return { ...seen, settings: event.settings };
    case 'signal.missed':
      return { ...seen, missed: event.detail };
    case 'permission.asked':
      // Permissions of an earlier process no longer wait.
      return event.at < seen.startedAt ? seen : { ...seen, permissions: [...seen.permissions, askedOf(event)] };
    case 'permission.settled':
      return { ...seen, permissions: seen.permissions.filter(({ requestId }) => requestId !== event.requestId) };
    case 'permission.granted':
    case 'protocol.observed':
    case 'prompt.accepted':
    case 'turn.interrupted':
    case 'channel.failed':
      return seen;
    case 'ledger.given':
      return { ...seen, compactedSinceLedger: false };
    case 'reminder.given':
      return { ...seen, turnsSinceReminder: 0 };
    case 'boundary.reached':
      return { ...seen, boundary: boundaryAt(seen, event) };
  }
}

const askedOf = ({
  requestId,
  tool,
  detail,
  choices,
}: Extract<AgentEvent, { type: 'permission.asked' }>): AskedPermission => ({ requestId, tool, detail, choices });

/** What was asked of an earlier process of the conversation is not of this one. */
function showsRequest(event: AgentEvent | OutsideEvent, startedAt: number): boolean {
  if (event.type === 'turn.ended') return !event.isPast;
  if (event.type !== 'conversation.grew') return false;
  return event.events.some((inside) => {
    if (inside.type !== 'request.made' || inside.from.subAgent !== undefined) return false;
    const at = Date.parse(inside.from.at ?? '');
    return Number.isNaN(at) ? !event.isPast : at >= startedAt;
  });
}

/** A conversation without history: what was counted of the one before is no longer so. */
function inAnother(seen: ObservedAgent): ObservedAgent {
  const { usage: _, path: __, ...rest } = withoutFailure(withoutLimit(seen));
  return { ...rest, compactions: 0, compactedSinceLedger: false, tools: NO_TOOLS };
}

function withoutLimit(seen: ObservedAgent): ObservedAgent {
  const { limit: _, ...rest } = seen;
  return rest;
}

function withoutFailure(seen: ObservedAgent): ObservedAgent {
  const { failure: _, ...rest } = seen;
  return rest;
}

/** What an earlier process of the conversation ran into is none of this one's. */
function withFailure(seen: ObservedAgent, { error, at }: Extract<AgentEvent, { type: 'turn.ended' }>): ObservedAgent {
  if (error === undefined) return withoutFailure(seen);
  return at < seen.startedAt
    ? seen
    : { ...seen, failure: { kind: seen.errorKind ?? kindOfError(error), detail: error, at } };
}

function askedAgain(seen: ObservedAgent, { events }: Grown): ObservedAgent {
  const { failure } = seen;
  if (failure === undefined) return seen;
  const isAsked = events.some(
    (event) => event.type === 'request.made' && !(Date.parse(event.from.at ?? '') <= failure.at),
  );
  return isAsked ? withoutFailure(seen) : seen;
}

function afterTool(tools: ObservedAgent['tools'], event: ConversationEvent): ObservedAgent['tools'] {
  if (event.from.subAgent !== undefined) return tools;
  if (event.type === 'tool.called') return { open: new Set([...tools.open, event.callId]), wereUsed: true };
  if (event.type !== 'tool.answered') return tools;
  return { open: new Set([...tools.open].filter((callId) => callId !== event.callId)), wereUsed: true };
}

const afterTurn = ({ errorKind: _, ...seen }: ObservedAgent, at: number): ObservedAgent => ({
  ...seen,
  tools: NO_TOOLS,
  turnsEnded: seen.turnsEnded + 1,
  turnsSinceReminder: seen.turnsSinceReminder + 1,
  lastTurnAt: at,
});

const boundaryAt = ({ state }: ObservedAgent, { at }: { at: number }): Boundary => ({
  at,
  isRest: state.activity !== 'busy',
});

/** An agent is at work when it reaches a boundary; once it rested there and works again, it is past it. */
function leaveBoundary(seen: ObservedAgent): ObservedAgent {
  const { boundary, state } = seen;
  if (boundary === undefined) return seen;
  if (state.activity !== 'busy') return boundary.isRest ? seen : { ...seen, boundary: { ...boundary, isRest: true } };
  return boundary.isRest ? withoutBoundary(seen) : seen;
}

/** An agent that did not rest and started something else is past it too. Workflow tools do not count. */
function goneOn(seen: ObservedAgent, { events }: Grown): ObservedAgent {
  const { boundary } = seen;
  if (boundary === undefined) return seen;
  const isPast = events.some(
    (event) =>
      event.type === 'tool.called' && event.actions.length > 0 && Date.parse(event.from.at ?? '') > boundary.at,
  );
  return isPast ? withoutBoundary(seen) : seen;
}

function withoutBoundary(seen: ObservedAgent): ObservedAgent {
  const { boundary: _, ...rest } = seen;
  return rest;
}

type Grown = Extract<AgentEvent, { type: 'conversation.grew' }>;
