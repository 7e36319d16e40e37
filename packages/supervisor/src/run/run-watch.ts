import {
  type AgentEvent,
  addPriced,
  addStated,
  addStuckSign,
  addTotals,
  addUsage,
  afterProgress,
  type ConversationEvent,
  type CostAccount,
  type CostOf,
  caughtUp,
  NO_SIGNS,
  NO_TOTALS,
  openAccount,
  openTally,
  type RunEvent,
  type RunTotals,
  readAgain,
  type StuckSigns,
  showsBeginning,
  storedAccount,
  storedTally,
  type UsageTally,
  unstoredCost,
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
  takeUsage(): readonly UsageCounted[];
}

/** `work`: of the agent · `user`: an idle agent waits for their answer · `care`: everything else */
type SpentOn = 'work' | 'user' | 'care';

export interface RunWatchOptions {
  /** Up to where the usage of each conversation was counted before. */
  readonly counted: Readonly<Record<string, string>>;
  /** What was counted of the cost of each agent process before. */
  readonly countedUsd?: Readonly<Record<string, number>>;
  readonly keepsRecords: boolean;
  readonly longestLookMs: number;
  readonly costOf?: CostOf | undefined;
  readonly now: number;
}

type Grown = Extract<AgentEvent, { type: 'conversation.grew' }>;
type UsageCounted = Extract<RunEvent, { type: 'usage.counted' }>;

/** Maximum within one step, with or without progress. */
const MAX_PUSHES_IN_STEP = 10;
const MAX_REQUESTS = 20;
/** A command may take that many times as long as an agent that does nothing: tests and builds do. */
const CALL_PATIENCE = 3;

export function createRunWatch(options: RunWatchOptions): RunWatch {
  const usage = new UsageCount(options);
  const heard = new Heard(options.keepsRecords);
  const progress = new Progress();
  let lookedAt = options.now;
  return {
    get signs() {
      return progress.signs;
    },
    get uncounted() {
      return usage.uncounted;
    },
    get quietMs() {
      return progress.quietMs;
    },
    get pushes() {
      return progress.pushes;
    },
    hear(event, agentId) {
      if (event.type === 'conversation.grew') {
        usage.add(event, agentId);
        heard.add(event);
        if (!event.isPast) for (const one of event.events) progress.add(one);
      }
      if (event.type === 'cost.stated') usage.state(agentId, event.totalUsd);
      const isTurnEnd = event.type === 'turn.ended' && !event.isPast;
      if (isTurnEnd) progress.turnEnded();
      if (isTurnEnd || (event.type === 'signal.seen' && event.says === 'busy')) heard.worked(agentId);
    },
    hasWorked: (agentId) => heard.hasWorked(agentId ?? ''),
    hasHeard: (beginning, since) => heard.hasHeard(beginning, since),
    isAsked: ({ conversationId, agentId }) => heard.isAsked(conversationId ?? '') || heard.isAsked(agentId ?? ''),
    pass(now, spentOn) {
      const passed = Math.min(Math.max(0, now - lookedAt), options.longestLookMs);
      lookedAt = now;
      if (spentOn !== 'user') usage.activeMs += passed; // the user's answer may take a night, which uses up no budget
      if (spentOn === 'work') progress.pass(passed);
    },
    pushed: () => progress.pushed(),
    stepEnded: () => progress.stepEnded(),
    stuckNoted: () => progress.stuckNoted(),
    takeUsage: () => usage.take(),
  };
}

/** What the agents used, and is not stored yet. */
class UsageCount {
  activeMs = 0;
  private readonly tallies = new Map<string, UsageTally>();
  /** The agent whose records of a conversation were read last. */
  private readonly readers = new Map<string, string>();
  private readonly costs: Costs;

  constructor(private readonly options: Pick<RunWatchOptions, 'counted' | 'countedUsd' | 'costOf'>) {
    this.costs = new Costs(options.countedUsd ?? {});
  }

  get uncounted(): RunTotals {
    const tokens = [...this.tallies.values()].map(({ spent }) => withoutCost(spent));
    return tokens.reduce(addTotals, { ...NO_TOTALS, activeMs: this.activeMs, ...this.costs.due() });
  }

  /** The agent says what its process has cost so far. */
  state(agentId: string, totalUsd: number): void {
    this.costs.state(agentId, totalUsd);
  }

  add({ conversationId, events, isPast }: Grown, agentId: string): void {
    const { counted, costOf } = this.options;
    const known = this.tallies.get(conversationId) ?? openTally(conversationId, counted[conversationId]);
    const isSame = this.readers.get(conversationId) === agentId;
    this.readers.set(conversationId, agentId);
    let tally = isSame ? known : readAgain(known);
    for (const event of events) {
      const { costUsd = 0 } = tally.spent;
      tally = addUsage(tally, event, costOf);
      if (tally.spent.costUsd !== undefined && tally.spent.costUsd !== costUsd)
        this.costs.price(agentId, tally.spent.costUsd - costUsd);
    }
    this.tallies.set(conversationId, isPast ? tally : caughtUp(tally));
  }

  take(): readonly UsageCounted[] {
    const counted = [...this.tallies.values()].flatMap(({ conversationId, spent, upTo }) =>
      spent.turns === 0 && spent.outputTokens === 0
        ? []
        : [
            {
              type: 'usage.counted' as const,
              ...withoutCost(spent),
              conversationId,
              ...(upTo === undefined ? {} : { upTo }),
            },
          ],
    );
    for (const [id, tally] of this.tallies) this.tallies.set(id, storedTally(tally));
    const ofAll = { activeMs: this.activeMs, ...this.costs.take() };
    this.activeMs = 0;
    const [first, ...others] = counted;
    if (first !== undefined) return [{ ...first, ...ofAll }, ...others];
    const isNothing = ofAll.activeMs === 0 && ofAll.costUsd === undefined;
    return isNothing ? [] : [{ type: 'usage.counted', ...NO_TOTALS, ...ofAll }];
  }
}

/** The cost of the agent processes of a run. */
class Costs {
  private readonly accounts = new Map<string, CostAccount>();

  constructor(private readonly countedUsd: Readonly<Record<string, number>>) {}

  price(agentId: string, usd: number): void {
    this.change(agentId, (account) => addPriced(account, usd));
  }

  state(agentId: string, totalUsd: number): void {
    this.change(agentId, (account) => addStated(account, totalUsd));
  }

  due(): { readonly costUsd?: number } {
    const known = [...this.accounts.values()].map(unstoredCost).filter((usd) => usd !== undefined);
    return known.length === 0 ? {} : { costUsd: known.reduce((sum, usd) => sum + usd, 0) };
  }

  /** To be stored. */
  take(): { readonly costUsd?: number; readonly processes?: Readonly<Record<string, number>> } {
    const { costUsd = 0 } = this.due();
    if (costUsd === 0) return {};
    for (const [agentId, account] of this.accounts) this.accounts.set(agentId, storedAccount(account));
    const processes = Object.fromEntries([...this.accounts].map(([agentId, { storedUsd }]) => [agentId, storedUsd]));
    return { costUsd, processes };
  }

  private change(agentId: string, next: (account: CostAccount) => CostAccount): void {
    this.accounts.set(agentId, next(this.accounts.get(agentId) ?? openAccount(this.countedUsd[agentId])));
  }
}

function withoutCost({ costUsd: _, ...spent }: RunTotals): RunTotals {
  return spent;
}

/** What has reached the agents, and which of them were seen at work. */
class Heard {
  private readonly asked = new Set<string>();
  private readonly workers = new Set<string>();
  private requests: readonly { readonly at: number; readonly event: ConversationEvent }[] = [];

  constructor(private readonly keepsRecords: boolean) {}

  add({ conversationId, events, at }: Grown): void {
    for (const event of events) {
      if (event.type !== 'request.made') continue;
      this.asked.add(conversationId);
      this.requests = [...this.requests, { at: Date.parse(event.from.at ?? '') || at, event }].slice(-MAX_REQUESTS);
    }
  }

  worked(agentId: string): void {
    this.workers.add(agentId);
    if (!this.keepsRecords) this.asked.add(agentId);
  }

  isAsked = (id: string): boolean => this.asked.has(id);
  hasWorked = (agentId: string): boolean => this.workers.has(agentId);

  hasHeard(beginning: string, since: number): boolean {
    const later = this.requests.filter(({ at }) => at >= since).map(({ event }) => event);
    return showsBeginning(later, beginning);
  }
}

/** Whether something comes of the work: signs that it is stuck, quiet time, and how often the agent was asked to continue. */
class Progress {
  signs = NO_SIGNS;
  quietMs = 0;
  private inARow = 0;
  private inStep = 0;
  /** Calls that change something, and have not been answered. */
  private readonly changes = new Set<string>();

  get pushes(): number {
    return this.inStep >= MAX_PUSHES_IN_STEP ? this.inStep : this.inARow;
  }

  add(event: ConversationEvent): void {
    this.signs = addStuckSign(this.signs, event);
    if (event.type === 'tool.called' && event.actions.some(({ kind }) => kind === 'change'))
      this.changes.add(event.callId);
    if (event.type === 'tool.answered' && this.changes.delete(event.callId) && event.outcome === 'ok')
      [this.quietMs, this.inARow] = [0, 0];
  }

  turnEnded(): void {
    this.signs = { ...this.signs, open: {} }; // they stay unanswered
  }

  pass(ms: number): void {
    const isCalling = Object.keys(this.signs.open).length > 0;
    this.quietMs += isCalling ? ms / CALL_PATIENCE : ms;
  }

  pushed(): void {
    this.inARow += 1;
    this.inStep += 1;
  }

  stepEnded(): void {
    this.stuckNoted();
    [this.inARow, this.inStep] = [0, 0];
  }

  stuckNoted(): void {
    this.signs = afterProgress(this.signs);
    this.quietMs = 0;
  }
}
