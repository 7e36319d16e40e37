import { addTotals, type ReachedBudget, type RunSignals, reachedBudget } from '@devs/core';
import { createDayUsage } from './day-usage.js';
import type { KnownRun } from './known-run.js';
import { isOccupied, signalsOfRun } from './signals-of-run.js';
import type { AgentTalk } from './talk-to-agent.js';
import { createToolsWatch, toolsReportOf } from './tools-watch.js';

/** Observes a run at one moment after the other; remembers what only a series of looks can show. */
export interface RunObserver {
  observe(): Promise<RunSignals>;
  /** The terminal was told of the end of the last step. */
  toldOfStepEnd(): void;
}

/** Time between two looks counts as this many looks at most: in a longer one the machine slept. */
const LOOKS_AT_MOST = 5;

export function createRunObserver(run: KnownRun, talk: AgentTalk): RunObserver {
  const { record, request, clock, terminal, watch } = run;
  const longestLookMs = LOOKS_AT_MOST * run.timing.lookMs;
  const standing = createStandingTime(longestLookMs);
  const tools = createToolsWatch({ file: toolsReportOf(request, run.id), longestLookMs });
  const budgetReachedAt = createSpending(run);
  let toldEnd = record.workflow?.lastEnded;
  let goneSince = clock.now();

  return {
    async observe() {
      await record.read();
      const now = clock.now();
      const status = terminal?.status();
      const activity = status?.state?.activity;
      if (activity !== undefined) goneSince = now;
      if (activity === 'busy') talk.sawWork();
      const since = status?.state?.since ?? goneSince;
      const standingMs = standing.look(`${status?.agentId} ${activity} ${status?.state?.since}`, since, now);
      const isAsking = record.facts.escalation !== undefined;
      const isAtWork = (activity === 'busy' || activity === 'idle') && !isOccupied(status) && !isAsking;
      watch.pass(now, isAtWork ? 'work' : isAsking && activity !== 'busy' ? 'user' : 'care');
      const budget = await budgetReachedAt(now);
      const isAttended = status?.isAttended === true;
      const missingTools = await tools.look({ now, agentId: status?.agentId, activity, isAttended });
      const { isActing, draftSince, refused } = talk;
      const moment = { now, status, budget, standingMs, isActing, draftSince, refused, toldEnd, missingTools };
      return signalsOfRun(run, moment);
    },
    toldOfStepEnd() {
      toldEnd = run.workflow().lastEnded;
    },
  };
}

/** The exhausted budget. That of the day is in the records of all runs, which are only read where there is one. */
function createSpending({ record, watch, request }: KnownRun): (now: number) => Promise<ReachedBudget | undefined> {
  const { budget } = request.settings;
  const day = createDayUsage(request.store.log, request.store.snapshots);
  const hasDayBudget = Object.keys(budget.day).length > 0;
  return async (now) => {
    const { uncounted } = watch;
    const ofDay = hasDayBudget ? addTotals(await day.read(now), uncounted) : uncounted;
    return reachedBudget(budget, { run: addTotals(record.facts.totals, uncounted), day: ofDay });
  };
}

/** How long something has stayed the same while observed: a machine that slept adds no more than one look. */
interface StandingTime {
  /** `what` names the state, and differs when that does; `since` is when it began by its own account. */
  look(what: string, since: number, now: number): number;
}

export function createStandingTime(longestLookMs: number): StandingTime {
  let seen = { what: '', ms: 0, at: 0 };
  const within = (ms: number) => Math.min(Math.max(0, ms), longestLookMs);
  return {
    look(what, since, now) {
      const ms = what === seen.what ? seen.ms + within(now - seen.at) : within(now - since);
      seen = { what, ms, at: now };
      return ms;
    },
  };
}
