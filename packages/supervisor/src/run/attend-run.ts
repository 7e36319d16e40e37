import {
  type AskedPermission,
  addTotals,
  choosePermission,
  decideRun,
  type ReachedBudget,
  type RunDecision,
  type RunPrompt,
  reachedBudget,
  runStream,
  type StoredEvent,
  StoreReplacedError,
  TOLD,
  type TypingOutcome,
  type UnseenAnswer,
} from '@devs/core';
import { type KeptLeases, whyReplaced } from '../keep-leases.js';
import { createLane } from '../lane.js';
import type { SuperviseRequest } from '../supervised-terminal.js';
import { DEFAULT_TIMING } from '../supervision.js';
import { createDayUsage } from './day-usage.js';
import { countUsage, createRunEnding } from './end-run.js';
import { endTerminalOf } from './end-terminal-of.js';
import type { KnownRun } from './known-run.js';
import { observeHead } from './observe-head.js';
import type { OpenedRun } from './prepare/open-run.js';
import { DEFAULT_RUN_TIMING, type RunHandle } from './run.js';
import { sentenceOf, sentenceOfNotice } from './sentence-of.js';
import { isOccupied, signalsOfRun } from './signals-of-run.js';
import { createStandingTime } from './standing-time.js';
import { statusOfRun } from './status-of-run.js';
import { createAgentTalk } from './talk-to-agent.js';
import { createToolsWatch, toolsReportOf } from './tools-watch.js';
import { type Unseen, whyUnseen } from './why-unseen.js';

/** Terminal events go to the run's supervisor, once there is one. */
export interface Ears {
  onNotice: NonNullable<SuperviseRequest['onNotice']>;
  onChange(): void;
}

export interface AttentionOptions extends Pick<KnownRun, 'request' | 'folder' | 'task' | 'terminal' | 'watch'> {
  readonly opened: OpenedRun;
  readonly ears: Ears;
  readonly leases: KeptLeases;
}

export interface Attention {
  readonly handle: RunHandle;
  sawEvent(event: StoredEvent): void;
  lose(why: string): void;
  /** The user was asked before. */
  ask(): void;
}

const MOST_LAST = 50;
/** Longer than so many looks nothing was looked at. */
const LOOKS_AT_MOST = 5;
/** After these the answer is still on its way. */
const GOES_ON: ReadonlySet<string> = new Set<Unseen>(['busy', 'exited', 'interrupted']);
const FOR_ANSWER = 'it waits for an answer of the user';

/** Attends to a run until it is finished, paused or lost: looks, decides, does one thing, and looks again. */
export function attendRun(options: AttentionOptions): Attention {
  const { request, opened, ears, leases } = options;
  const { id, record } = opened;
  const { store, clock, settings } = request;
  const last: { readonly at: number; readonly text: string }[] = [];
  const note = (text: string | undefined, at: number) => {
    if (text !== undefined && text !== last.at(-1)?.text) last.push({ at, text });
    if (last.length > MOST_LAST) last.shift();
    request.onChange?.();
  };
  const run: KnownRun = {
    ...options,
    id,
    record,
    timing: { ...DEFAULT_RUN_TIMING, ...request.timing },
    clock,
    workflow: () => record.workflow ?? opened.workflow,
    tell: (text) => note(text, clock.now()),
  };
  const { terminal, watch, task, timing } = run;
  const leaseMs = request.timing?.leaseMs ?? DEFAULT_TIMING.leaseMs;
  const trouble = (error: unknown) => run.tell(`trouble: ${String(error)}`);
  const ending = createRunEnding(run, async () => {
    clearInterval(ticking);
    await lane.close();
    await leases.stop();
  });
  const talk = createAgentTalk(run, { isOver: () => ending.isOver, onActed: () => lane.nudge() });
  const spending = createSpending(run);
  let toldEnd = record.workflow?.lastEnded;
  let goneSince = clock.now();
  /** Since when no look went well. */
  let blindSince: number | undefined;
  const standing = createStandingTime(LOOKS_AT_MOST * timing.lookMs);
  const tools = createToolsWatch({ file: toolsReportOf(request, id), longestLookMs: LOOKS_AT_MOST * timing.lookMs });

  const look = async (): Promise<boolean> => {
    if (ending.isOver || !(await leases.isOurs())) return false;
    const again = await perform(await consider());
    blindSince = undefined;
    return again;
  };
  /** A run that cannot be looked at has no budget and no limits: it is not left alone for longer than a term of its lease. */
  const cannotLook = (error: unknown) => {
    trouble(error);
    if (error instanceof StoreReplacedError) return void ending.lose(whyReplaced(error));
    watch.pass(clock.now(), 'care'); // an outage is no sign that its agent is stuck
    blindSince ??= clock.now();
    if (clock.now() - blindSince > leaseMs) void ending.lose(`it could not be looked at: ${String(error)}`);
  };

  const consider = async (): Promise<RunDecision> => {
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
    const budget = await spending.reached(now);
    const isAttended = status?.isAttended === true;
    const missingTools = await tools.look({ now, agentId: status?.agentId, activity, isAttended });
    const moment = {
      now,
      status,
      budget,
      standingMs,
      isActing: talk.isActing,
      draftSince: talk.draftSince,
      refused: talk.refused,
      toldEnd,
      missingTools,
    };
    return decideRun(signalsOfRun(run, moment), settings, timing);
  };

  /** `true`: look again at once. Slow work is started, and continues in parallel. */
  const perform = async (decision: RunDecision): Promise<boolean> => {
    switch (decision.do) {
      case 'nothing':
        return false;
      case 'boundary':
        return passBoundary();
      case 'want-turn-end':
        await record.append({ type: 'turn-end.wanted', why: 'its context is nearly full' });
        return true;
      case 'settle-turn-end':
        await record.append({ type: 'turn-end.settled' });
        return true;
      case 'context-action':
        void talk.act(decision.action).catch(trouble);
        return false;
      case 'send':
        await afterSending(decision.prompt, await talk.send(decision.prompt, () => isStill(decision)));
        return false; // its state is another one soon
      case 'answer-permission':
        await answerAsked(decision.permission);
        return true;
      case 'renew': {
        const outcome = await terminal?.renew();
        if (outcome?.status === 'renewed') return true;
        await escalate('Its agent cannot be started. What should happen?', JSON.stringify(outcome ?? 'no terminal'));
        return false;
      }
      case 'restart':
        await record.append({ type: 'tools.missed', detail: decision.why });
        watch.stepEnded(); // what failed for want of them is over
        await terminal?.restart('tools');
        return true;
      case 'notice-stuck':
        await record.append({ type: 'stuck.noticed', kind: decision.kind, detail: decision.detail });
        watch.stuckNoted();
        return true;
      case 'escalate':
        await escalate(decision.question, decision.diagnosis, decision.endsAgent);
        return false;
      case 'ask-again':
        await askAgain({ isTyped: false, why: decision.why, endsAgent: decision.endsAgent });
        return false;
      case 'settle-escalation':
        await settle(decision.how);
        return true;
      case 'pause':
        await record.append({ type: 'budget.reached', ...decision.budget });
        void ending.stop(`the budget is reached: ${decision.budget.detail}`, decision.budget.budget);
        return false;
      case 'finish':
        void ending.finish();
        return false;
    }
  };

  /** What the terminal did before a prompt's turn came may have made it needless, or wrong. */
  const isStill = async ({ prompt }: Extract<RunDecision, { do: 'send' }>): Promise<boolean> => {
    const now = ending.isOver ? undefined : await consider();
    return now?.do === 'send' && now.prompt === prompt;
  };

  const passBoundary = async (): Promise<boolean> => {
    toldEnd = run.workflow().lastEnded;
    terminal?.boundary();
    watch.stepEnded();
    await countUsage(run);
    await observeHead(run);
    if (task === undefined) return true;
    const found = await store.tasks.get(task.id);
    if (found?.fence === task.fence) return true;
    void ending.stop(`its task ${task.id} was given to somebody else`);
    return false;
  };

  const escalate = async (question: string, diagnosis: string, endsAgent = false) => {
    const escalationId = `q-${request.newId().replaceAll('-', '').slice(0, 6)}`;
    await record.append({ type: 'escalation.raised', escalationId, question, diagnosis });
    call(`${question} ${diagnosis}`, endsAgent);
  };
  const call = (why: string, endsAgent = false) => {
    request.onNotice?.({ kind: 'escalated', why });
    if (request.onEscalation === 'pause' || endsAgent) void ending.stop(FOR_ANSWER);
  };
  /** The question is settled by the agent's own record, and by nothing else. */
  const afterSending = async (prompt: RunPrompt, outcome: TypingOutcome | undefined) => {
    const { escalation } = record.facts;
    if (prompt !== 'answer' || outcome === undefined || escalation === undefined) return;
    if (outcome.kind === 'delivered') return settle(TOLD);
    if (GOES_ON.has(outcome.reason)) return; // the next agent, or the next look, gets it
    await askAgain({ isTyped: outcome.kind === 'unconfirmed', why: whyUnseen(outcome.reason) });
  };
  const answerAsked = async ({ requestId, choices }: AskedPermission) => {
    const { answer = '' } = record.facts.escalation ?? {};
    const chosen = choosePermission(answer, choices);
    if (chosen === undefined) return askAgain({ isTyped: false, why: `there is no choice "${answer}"` });
    const outcome = await terminal?.answerPermission(requestId, chosen);
    if (outcome?.kind === 'settled') return settle(TOLD);
    await askAgain({ isTyped: outcome?.isHanded === true, why: outcome?.why ?? 'no agent runs' });
  };
  const askAgain = async ({
    isTyped,
    why,
    endsAgent,
  }: Omit<UnseenAnswer, 'answer'> & { endsAgent?: true | undefined }) => {
    const { escalation } = record.facts;
    if (escalation === undefined) return;
    await record.append({ type: 'escalation.unanswered', escalationId: escalation.id, isTyped, why });
    call(`${escalation.question} Your answer did not reach the agent: ${why}`, endsAgent);
  };
  const settle = async (how: string) => {
    watch.stepEnded();
    const { escalation } = record.facts;
    if (escalation !== undefined) await record.append({ type: 'escalation.settled', escalationId: escalation.id, how });
    if (terminal?.status().needs?.kind === 'escalation') await terminal.settle();
  };

  const lane = createLane({ step: look, onTrouble: cannotLook });
  const ticking = setInterval(lane.nudge, timing.lookMs);
  ears.onNotice = (notice) => {
    note(sentenceOfNotice(notice), clock.now());
    request.onNotice?.(notice);
    if (notice.kind === 'lost') void ending.lose(notice.why);
  };
  ears.onChange = () => {
    request.onChange?.();
    lane.nudge();
  };
  void (async () => {
    for await (const _ of store.log.follow({ stream: runStream(id), signal: ending.signal })) lane.nudge();
  })().catch(trouble); // the next look reads it
  const onAbort = () => void ending.stop('the user stopped it');
  if (request.signal?.aborted) onAbort();
  request.signal?.addEventListener('abort', onAbort, { once: true });
  void ending.done.then(() => request.signal?.removeEventListener('abort', onAbort));
  lane.nudge();

  return {
    handle: {
      id,
      status: () => statusOfRun(run, ending, last),
      user: (is) => terminal?.user(is),
      async stop({ now }) {
        const stopped = ending.stop('the user stopped it');
        if (now && terminal !== undefined && ending.end === undefined)
          await endTerminalOf(terminal.name, request.openHost, 0); // what it was given to end by itself is over
        await stopped;
      },
      leave: (why) => ending.leave(why),
      done: ending.done,
    },
    sawEvent: (event) => note(sentenceOf(event), event.at),
    lose: (why) => void ending.lose(why),
    ask: () => void ending.stop(FOR_ANSWER),
  };
}

/** What is left of the budgets. That of the day is in the records of all runs, which are only read where there is one. */
function createSpending({ record, watch, request }: KnownRun): {
  reached(now: number): Promise<ReachedBudget | undefined>;
} {
  const { budget } = request.settings;
  const day = createDayUsage(request.store.log);
  const hasDayBudget = Object.keys(budget.day).length > 0;
  return {
    async reached(now) {
      const { uncounted } = watch;
      const ofDay = hasDayBudget ? addTotals(await day.read(now), uncounted) : uncounted;
      return reachedBudget(budget, { run: addTotals(record.facts.totals, uncounted), day: ofDay });
    },
  };
}
