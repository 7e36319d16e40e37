import {
  type AgentEvent,
  addStuckSign,
  addTotals,
  addUsage,
  afterProgress,
  type ConversationEvent,
  type CostOf,
  caughtUp,
  NO_SIGNS,
  NO_TOTALS,
  openTally,
  type RunEvent,
  type RunTotals,
  readAgain,
  type StuckSigns,
  showsBeginning,
  storedTally,
  type UsageTally,
} from '@devs/core';

/** What is seen of the agents of one run, as far as the run itself goes by it. */
export interface RunWatch {
  readonly signs: StuckSigns;
  /** Usage not stored yet. */
  readonly uncounted: RunTotals;
  /** How long nothing has come of the work, in time that was worked. */
  readonly quietMs: number;
  readonly pushes: number;
  hear(event: AgentEvent, agentId: string): void;
  /** Whether anything was asked in this conversation, or of this agent where it keeps no records. */
  isAsked(who: { readonly conversationId?: string; readonly agentId?: string }): boolean;
  /** Whether this process was seen at work: what it was started with has reached it. */
  hasWorked(agentId: string | undefined): boolean;
  /** Whether an agent was told something that begins like this at that time or later, by its own records. */
  hasHeard(beginning: string, since: number): boolean;
  /** Time has passed; a machine that slept makes it no longer than a look. */
  pass(now: number, spentOn: SpentOn): void;
  pushed(): void;
  /** A step has ended, or the user has said how to continue. */
  stepEnded(): void;
  /** It was noted that it is stuck: what follows is counted anew. */
  stuckNoted(): void;
  /** What was used since the last time, to be stored. */
  takeUsage(): readonly Extract<RunEvent, { type: 'usage.counted' }>[];
}

/** `work`: of the agent · `user`: an idle agent waits for their answer · `care`: everything else */
type SpentOn = 'work' | 'user' | 'care';

export interface RunWatchOptions {
  /** Up to where the usage of each conversation was counted before. */
  readonly counted: Readonly<Record<string, string>>;
  readonly keepsRecords: boolean;
  readonly longestLookMs: number;
  readonly costOf?: CostOf | undefined;
  readonly now: number;
}

type Grown = Extract<AgentEvent, { type: 'conversation.grew' }>;

/** Maximum within one step, with or without progress. */
const MOST_PUSHES_IN_STEP = 10;
const MOST_REQUESTS = 20;
/** A command may take that many times as long as an agent that does nothing: tests and builds do. */
const CALL_PATIENCE = 3;

export function createRunWatch(options: RunWatchOptions): RunWatch {
  const tallies = new Map<string, UsageTally>();
  /** The agent whose records of a conversation were read last. */
  const readers = new Map<string, string>();
  const asked = new Set<string>();
  const worked = new Set<string>();
  let requests: readonly { readonly at: number; readonly event: ConversationEvent }[] = [];
  const open = new Set<string>();
  let signs = NO_SIGNS;
  let lookedAt = options.now;
  let activeMs = 0;
  let quietMs = 0;
  let pushes = 0;
  let pushesInStep = 0;

  const isCalling = () => Object.keys(signs.open).length > 0;
  const grew = ({ conversationId, events, isPast, at }: Grown, agentId: string) => {
    const known = tallies.get(conversationId) ?? openTally(conversationId, options.counted[conversationId]);
    const isSame = readers.get(conversationId) === agentId;
    readers.set(conversationId, agentId);
    let tally = isSame ? known : readAgain(known);
    for (const event of events) {
      tally = addUsage(tally, event, options.costOf);
      if (event.type === 'request.made') {
        asked.add(conversationId);
        requests = [...requests, { at: Date.parse(event.from.at ?? '') || at, event }].slice(-MOST_REQUESTS);
      }
      if (isPast) continue;
      signs = addStuckSign(signs, event);
      if (event.type === 'tool.called' && event.actions.some(({ kind }) => kind === 'change')) open.add(event.callId);
      if (event.type === 'tool.answered' && open.delete(event.callId) && event.outcome === 'ok')
        [quietMs, pushes] = [0, 0];
    }
    tallies.set(conversationId, isPast ? tally : caughtUp(tally));
  };

  return {
    get signs() {
      return signs;
    },
    get uncounted() {
      return [...tallies.values()].reduce((sum, { spent }) => addTotals(sum, spent), { ...NO_TOTALS, activeMs });
    },
    get quietMs() {
      return quietMs;
    },
    get pushes() {
      return pushesInStep >= MOST_PUSHES_IN_STEP ? pushesInStep : pushes;
    },
    hear(event, agentId) {
      if (event.type === 'conversation.grew') grew(event, agentId);
      if (event.type === 'turn.ended' && !event.isPast) signs = { ...signs, open: {} }; // they stay unanswered
      const isWork =
        (event.type === 'turn.ended' && !event.isPast) || (event.type === 'signal.seen' && event.says === 'busy');
      if (!isWork) return;
      worked.add(agentId);
      if (!options.keepsRecords) asked.add(agentId);
    },
    hasWorked: (agentId) => worked.has(agentId ?? ''),
    hasHeard: (beginning, since) => {
      const later = requests.filter(({ at }) => at >= since).map(({ event }) => event);
      return showsBeginning(later, beginning);
    },
    isAsked: ({ conversationId, agentId }) => asked.has(conversationId ?? '') || asked.has(agentId ?? ''),
    pass(now, spentOn) {
      const passed = Math.min(Math.max(0, now - lookedAt), options.longestLookMs);
      lookedAt = now;
      if (spentOn !== 'user') activeMs += passed; // the user's answer may take a night, which uses up no budget
      if (spentOn === 'work') quietMs += isCalling() ? passed / CALL_PATIENCE : passed;
    },
    pushed() {
      pushes += 1;
      pushesInStep += 1;
    },
    stepEnded() {
      signs = afterProgress(signs);
      [quietMs, pushes, pushesInStep] = [0, 0, 0];
    },
    stuckNoted() {
      signs = afterProgress(signs);
      quietMs = 0;
    },
    takeUsage() {
      const counted = [...tallies.values()].flatMap(({ conversationId, spent, upTo }) =>
        spent.turns === 0 && spent.outputTokens === 0
          ? []
          : [{ type: 'usage.counted' as const, ...spent, conversationId, ...(upTo === undefined ? {} : { upTo }) }],
      );
      for (const [id, tally] of tallies) tallies.set(id, storedTally(tally));
      const time = activeMs;
      activeMs = 0;
      const [first, ...others] = counted;
      if (first !== undefined) return [{ ...first, activeMs: time }, ...others];
      return time === 0 ? [] : [{ type: 'usage.counted', ...NO_TOTALS, activeMs: time }];
    },
  };
}
