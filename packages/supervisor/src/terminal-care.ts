import type { PressureMark, StepContextAction, SummaryProvider, TerminalPolicy, TypingOutcome } from '@devs/core';
import type { ContextActionOutcome } from './act/context-action.js';
import type { TerminalRecord } from './record/terminal-record.js';
import type { RenewalRecord } from './renewal/renewal-record.js';
import type { Supervision } from './supervision.js';

/** One terminal, with what its supervisor goes by and remembers when it decides. */
export interface TerminalCare {
  readonly supervision: Supervision;
  readonly renewals: RenewalRecord;
  readonly policy: TerminalPolicy;
  readonly summaries?: SummaryProvider | undefined;
  readonly hasWorkLeft: () => boolean;
  readonly isConversationOver?: (() => Promise<boolean>) | undefined;
  readonly notices: GivenNotices;
  readonly wanted: WantedAction;
  readonly specs: SpecsWatch;
  readonly fullness: FullnessWatch;
}

/** Notices given about the current agent, so that each is given once. */
export class GivenNotices {
  private agentId = '';
  private pressureMark: PressureMark = 'low';
  private keys = new Set<string>();

  constructor(private readonly record: Pick<TerminalRecord, 'facts'>) {}

  get mark(): PressureMark {
    this.beginWithAgent();
    return this.pressureMark;
  }

  set mark(mark: PressureMark) {
    this.beginWithAgent();
    this.pressureMark = mark;
  }

  /** Whether it was given now. */
  once(key: string, give: () => void = () => {}): boolean {
    this.beginWithAgent();
    if (this.keys.has(key)) return false;
    this.keys.add(key);
    give();
    return true;
  }

  private beginWithAgent(): void {
    const agentId = this.record.facts.agent?.agentId ?? '';
    if (agentId === this.agentId) return;
    [this.agentId, this.pressureMark, this.keys] = [agentId, 'low', new Set()];
  }
}

/** The context action that a step asked for; the last one counts. */
export class WantedAction {
  private waiting: { readonly action: StepContextAction; settle(outcome: ContextActionOutcome): void } | undefined;

  get action(): StepContextAction | undefined {
    return this.waiting?.action;
  }

  want(action: StepContextAction): Promise<ContextActionOutcome> {
    this.abandon('another one was asked for');
    return new Promise((settle) => {
      this.waiting = { action, settle };
    });
  }

  /** Settles the wish that was there when the action began. */
  async perform(action: StepContextAction, work: () => Promise<ContextActionOutcome>): Promise<ContextActionOutcome> {
    const asked = this.action === action ? this.waiting : undefined;
    const outcome = await work();
    if (asked === this.waiting) this.waiting = undefined;
    asked?.settle(outcome);
    return outcome;
  }

  abandon(reason: string): void {
    this.waiting?.settle({ kind: 'abandoned', reason });
  }
}

/** Which marks an agent's conversation has reached, and since when it is above the firm mark. */
export class FullnessWatch {
  private key = '';
  private mark: PressureMark = 'low';
  private since: number | undefined;

  get fullSince(): number | undefined {
    return this.since;
  }

  /** Whether it has just reached a mark. `key` names the process and its conversation. */
  see(key: string, mark: PressureMark, now: number): boolean {
    if (key !== this.key) [this.key, this.mark, this.since] = [key, 'low', undefined];
    const isReached = mark !== 'low' && mark !== this.mark;
    this.mark = mark;
    this.since = mark === 'firm' ? (this.since ?? now) : undefined;
    return isReached;
  }

  /** Counts anew. */
  again(now: number): void {
    this.since = now;
  }
}

/** Whether the specs are others than the agent was last shown. */
export class SpecsWatch {
  private shown: string | undefined;

  constructor(private readonly summaries: SummaryProvider | undefined) {}

  async haveChanged(): Promise<boolean> {
    const summary = await this.summaries?.getSummary().catch(() => undefined); // they cannot be read now
    if (summary === undefined) return false;
    const now = JSON.stringify(summary);
    this.shown ??= now;
    return now !== this.shown;
  }

  /** Whether the agent has them. */
  async show(give: (summary: Summary) => Promise<TypingOutcome>): Promise<boolean> {
    const summary = await this.summaries?.getSummary();
    if (summary === undefined || (await give(summary)).kind === 'refused') return false;
    this.shown = JSON.stringify(summary);
    return true;
  }
}

export type Summary = Awaited<ReturnType<SummaryProvider['getSummary']>>;
