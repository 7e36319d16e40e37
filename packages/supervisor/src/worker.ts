import {
  decide,
  isRenewing,
  type PressureMark,
  pressureOf,
  type StepContextAction,
  type SummaryProvider,
  type TerminalDecision,
  type TerminalPolicy,
} from '@devs/core';
import { answerDialog } from './act/answer-dialog.js';
import { isPromptOnItsWay } from './act/carried-prompt.js';
import { type ContextActionOutcome, performContextAction } from './act/context-action.js';
import { giveLedger, reinject } from './act/give-text.js';
import { type LeftText, sendLeftText } from './act/left-text.js';
import { openAgain, type Recovery, recoverFromExit } from './act/recover-from-exit.js';
import { goOnRenewing, renewAgent } from './act/renew-agent.js';
import { finishRestart } from './act/restart-agent.js';
import { isToBeTold, tellFirstPrompt } from './act/tell-first-prompt.js';
import { typeOwnText } from './act/type-own-text.js';
import { withRecords } from './act/with-records.js';
import { historyOf, signalsOf } from './follow/signals-of.js';
import { wasNotReplaced } from './record/how-to-begin.js';
import type { AgentExitFacts } from './record/terminal-event.js';
import { AFTER_LIMIT_PROMPT } from './renewal/handoff-request.js';
import type { RenewalRecord } from './renewal/renewal-record.js';
import type { Supervision } from './supervision.js';

export interface WorkerOptions {
  readonly supervision: Supervision;
  readonly renewals: RenewalRecord;
  readonly policy: TerminalPolicy;
  readonly summaries?: SummaryProvider | undefined;
  readonly hasWorkLeft: () => boolean;
  readonly isConversationOver?: (() => Promise<boolean>) | undefined;
}

/** Decides about one terminal and acts, one thing at a time. The caller of `step` ensures that. */
export interface Worker {
  /** Does the next thing that is due. `true`: look again at once. */
  step(): Promise<boolean>;
  /** To be performed when the agent is idle. */
  want(action: StepContextAction): Promise<ContextActionOutcome>;
  specsChanged(): void;
  /** Opens the agent's conversation again in another process, as far as its CLI can. */
  restart(why: 'tools'): Promise<void>;
  /** Nothing will be performed any more. */
  letGo(): void;
  /** What the agent works on is still to be done, and still its own. */
  isTaskOpen(): Promise<boolean>;
}

export function createWorker(options: WorkerOptions): Worker {
  const { supervision, renewals, policy, summaries, hasWorkLeft } = options;
  const { seat, record, store, clock, timing, task, notify } = supervision;
  let specs = false;
  let left: LeftText | undefined;
  let wanted: { readonly action: StepContextAction; settle(outcome: ContextActionOutcome): void } | undefined;
  /** Notices given in this conversation, so that each is given once. */
  let told: { readonly agentId: string; readonly mark: PressureMark; readonly said: ReadonlySet<string> } | undefined;

  const toldHere = () => {
    const agentId = record.facts.agent?.agentId ?? '';
    if (told?.agentId !== agentId) told = { agentId, mark: 'low', said: new Set() };
    return told;
  };
  /** Whether it was done now: at most once for each agent. */
  const once = (key: string, say: () => void): boolean => {
    const here = toldHere();
    if (here.said.has(key)) return false;
    told = { ...here, said: new Set([...here.said, key]) };
    say();
    return true;
  };
  const isTaskOpen = async () => {
    if (task === undefined) return false;
    const found = await store.tasks.get(task.id);
    return found?.status === 'in_progress' && found.fence === task.fence;
  };

  const step = async (): Promise<boolean> => {
    const { facts } = record;
    if (facts.isStopped) return false;
    if (facts.restart !== undefined) {
      const outcome = await finishRestart(supervision);
      if (outcome.kind === 'failed') await escalate(`it could not be started: ${outcome.error}`);
      return true;
    }
    if (isRenewing(await renewals.read())) {
      await afterRenewal(goOnRenewing(supervision, renewals));
      return true;
    }
    const { state } = renewals;
    if (state.phase === 'failed' && wasNotReplaced(facts, state)) {
      await escalate(`the renewed agent could not be started: ${state.error}`);
      return false;
    }
    if (facts.contextAction !== undefined) {
      await act(facts.contextAction.action);
      return true;
    }
    if (isToBeTold(supervision)) return tellFirst();
    if (await sendLeft()) return true;
    // An agent that died while parked no longer waits.
    if (facts.parkedUntil !== undefined && facts.agent?.exit === undefined)
      return clock.now() >= facts.parkedUntil && unpark();
    if (facts.escalation !== undefined) return false;
    const { exit } = facts.agent ?? {};
    return perform(await consider(), exit);
  };

  const consider = async (): Promise<TerminalDecision> => {
    const decision = decide(await signalsNow(), policy, history());
    if (TYPES.has(decision.do) && isPromptOnItsWay(supervision))
      return { do: 'wait', why: 'its first prompt is on its way' };
    if (!CARES.has(decision.do)) return decision;
    // Once more, on the current state: it may be at work again, and the store may know more.
    await seat.agent?.look();
    const isConversationOver = (await options.isConversationOver?.()) ?? false;
    return decide({ ...(await signalsNow()), isConversationOver }, policy, history());
  };
  const history = () => historyOf(record.facts, renewals.state, toldHere().mark);
  const signalsNow = async () =>
    signalsOf({
      now: clock.now(),
      seen: seat.agent?.seen,
      facts: record.facts,
      isAttended: supervision.isAttended(),
      isAttached: supervision.isAttached(),
      hasWorkLeft: hasWorkLeft() || (await isTaskOpen()),
      cacheMs: timing.cacheMs,
      ...(wanted === undefined ? {} : { contextAction: wanted.action }),
      specsChanged: specs,
      remindsByTyping: summaries !== undefined,
    });

  /** `exit`: what was known of its end when it was decided. */
  const perform = async (decision: TerminalDecision, exit: AgentExitFacts | undefined): Promise<boolean> => {
    switch (decision.do) {
      case 'nothing':
        if (!(await answerDialog(supervision, (key) => once(key, () => {})))) tellStanding(exit);
        return false;
      case 'wait':
        return false;
      case 'tell':
        told = { ...toldHere(), mark: decision.mark };
        notify({ kind: 'pressure', mark: decision.mark, pressure: pressureOf(seat.agent?.seen.usage ?? NO_USAGE) });
        return false;
      case 'leave-to-agent':
        once(decision.why, () => notify({ kind: 'left-to-agent', why: decision.why }));
        return false;
      case 'give-ledger':
        return (await giveLedger(supervision)).kind !== 'refused';
      case 're-inject':
        specs = false;
        return summaries !== undefined && (await reinject(supervision, summaries)).kind !== 'refused';
      case 'compact':
      case 'clear':
        await act(decision.do);
        return true;
      case 'renew': {
        const isAutoHandoff = decision.reason === 'clean exit';
        const isParked = record.facts.parkedUntil !== undefined;
        const wish = {
          cause: decision.reason,
          policy,
          ...(isAutoHandoff ? { hasWorkLeft: isParked || hasWorkLeft() || (await isTaskOpen()) } : {}),
        };
        return (await afterRenewal(renewAgent(supervision, renewals, wish))) !== 'refused';
      }
      case 'resume':
        return recover(decision.afterMs);
      case 'park': {
        const limit = seat.agent?.seen.limit;
        const why = limit?.kind === 'network' && limit.detail !== '' ? limit.detail : (limit?.kind ?? 'usage-limit');
        await record.append({ type: 'terminal.parked', until: decision.until, why });
        notify({ kind: 'parked', until: decision.until, why });
        return false;
      }
      case 'escalate':
        await escalate(decision.why);
        return false;
    }
  };

  const escalate = async (why: string) => {
    await record.append({ type: 'escalation.raised', why });
    notify({ kind: 'escalated', why });
  };
  /** Text that devs typed and did not see sent is not the user's draft: no one else will send it (R3). */
  const sendLeft = async (): Promise<boolean> => {
    const outcome = await sendLeftText(supervision, left);
    left = outcome.left;
    if (outcome.kind === 'stuck' && record.facts.escalation === undefined)
      await escalate('a prompt of devs is in its input box, and Enter does not send it');
    return outcome.kind === 'sent';
  };
  const tellFirst = async (): Promise<boolean> => {
    const { untold } = record.facts;
    const outcome = await tellFirstPrompt(supervision);
    if (outcome.kind === 'delivered' || outcome.reason === 'exited') return true; // its exit is looked at next
    if (outcome.kind === 'refused' && !supervision.isAttended())
      await escalate(`it could not be told what to do: ${outcome.reason}`);
    else notify({ kind: 'prompt-unconfirmed', text: untold?.text ?? '', reason: outcome.reason });
    return true;
  };
  /** Neither idle nor done: a person must act (H13). */
  const tellStanding = (exit: AgentExitFacts | undefined) => {
    const { agent } = seat;
    if (agent?.seen.state.activity === 'waiting') {
      const { since, evidence } = agent.seen.state;
      once(`waiting ${since}`, () => notify({ kind: 'waiting', detail: evidence.detail }));
    }
    if (exit === undefined) return;
    const { exitCode, signal } = exit;
    const how = exitCode === undefined ? {} : { exitCode, ...(signal === undefined ? {} : { signal }) };
    once('done', () => notify({ kind: 'done', ...how }));
  };
  const act = async (action: StepContextAction) => {
    const waiting = wanted?.action === action ? wanted : undefined;
    const outcome = await performContextAction(supervision, action);
    if (outcome.kind === 'abandoned') notify({ kind: 'context-action-abandoned', reason: outcome.reason });
    if (waiting === wanted) wanted = undefined;
    waiting?.settle(outcome);
  };
  const recover = async (afterMs: number): Promise<boolean> => {
    const recovery = await recoverFromExit(supervision, afterMs);
    if (recovery.kind === 'running') notify({ kind: 'resumed', conversationId: recovery.conversationId });
    else await orRenew(recovery);
    return true;
  };
  const orRenew = async (recovery: Exclude<Recovery, { kind: 'running' }>): Promise<void> => {
    if (recovery.kind === 'failed') await escalate(recovery.error);
    else {
      const wish = { cause: 'cannot be resumed', policy } as const;
      const outcome = await afterRenewal(renewAgent(supervision, renewals, wish));
      if (outcome === 'refused') await escalate('neither its conversation nor a fresh one can be opened');
    }
  };
  const afterRenewal = async (renewing: ReturnType<typeof renewAgent>) => {
    const outcome = await renewing;
    if (outcome.status === 'refused')
      once(outcome.reason, () => notify({ kind: 'left-to-agent', why: outcome.reason }));
    return outcome.status;
  };
  const unpark = async (): Promise<boolean> => {
    await record.append({ type: 'park.ended' });
    const { agent } = seat;
    agent?.note({ type: 'limit.waited-for' });
    if (agent === undefined || supervision.isAttended() || agent.seen.state.activity !== 'idle') return true;
    await typeOwnText(supervision, agent, await withRecords(supervision, AFTER_LIMIT_PROMPT));
    return true;
  };

  return {
    step,
    want: (action) =>
      new Promise((settle) => {
        wanted?.settle({ kind: 'abandoned', reason: 'another one was asked for' });
        wanted = { action, settle };
      }),
    specsChanged() {
      specs = true;
    },
    async restart(why) {
      const recovery = await openAgain(supervision, why);
      if (recovery.kind !== 'running') await orRenew(recovery);
    },
    letGo: () => wanted?.settle({ kind: 'abandoned', reason: 'the terminal was let go' }),
    isTaskOpen,
  };
}

const CARES: ReadonlySet<TerminalDecision['do']> = new Set(['renew', 'give-ledger', 're-inject']);
/** What types something into the agent, or asks it for its words. */
const TYPES: ReadonlySet<TerminalDecision['do']> = new Set(['renew', 'give-ledger', 're-inject', 'compact', 'clear']);
const NO_USAGE = { usedTokens: 0, windowTokens: 0 };
