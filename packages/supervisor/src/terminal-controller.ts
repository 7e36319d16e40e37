import {
  AFTER_LIMIT_PROMPT,
  decide,
  isRenewing,
  markOf,
  type StepContextAction,
  type TerminalDecision,
} from '@devs/core';
import { isPromptOnItsWay } from './act/carried-prompt.js';
import type { ContextActionOutcome } from './act/context-action.js';
import { type LeftText, sendLeftText } from './act/left-text.js';
import { actOnContext, afterRenewal, escalate, isTaskOpen, orRenew, performDecision } from './act/perform-decision.js';
import { openAgain } from './act/recover-from-exit.js';
import { goOnRenewing } from './act/renew-agent.js';
import { finishRestart } from './act/restart-agent.js';
import { isToBeTold, sendPendingPrompt } from './act/send-pending-prompt.js';
import { typeOwnText } from './act/type-own-text.js';
import { withRecords } from './act/with-records.js';
import { historyOf, signalsOf } from './follow/signals-of.js';
import { wasNotReplaced } from './record/decide-startup.js';
import { FullnessWatch, GivenNotices, SpecsWatch, type TerminalCare, WantedAction } from './terminal-care.js';

export type TerminalControllerOptions = Omit<TerminalCare, 'notices' | 'wanted' | 'specs' | 'fullness'>;

/** Decides about one terminal and acts, one thing at a time. The caller of `step` ensures that. */
export interface TerminalController {
  /** Does the next thing that is due. `true`: look again at once. */
  step(): Promise<boolean>;
  /** To be performed when the agent is idle. */
  want(action: StepContextAction): Promise<ContextActionOutcome>;
  /** Opens the agent's conversation again in another process, as far as its CLI can. */
  restart(why: 'tools'): Promise<void>;
  /** Nothing will be performed any more. */
  letGo(): void;
}

export function createTerminalController(options: TerminalControllerOptions): TerminalController {
  const { supervision, summaries } = options;
  const [notices, wanted] = [new GivenNotices(supervision.record), new WantedAction()];
  const [specs, fullness] = [new SpecsWatch(summaries), new FullnessWatch()];
  const care: TerminalCare = { ...options, notices, wanted, specs, fullness };
  let left: LeftText | undefined;
  /** Text that devs typed and did not see sent is not the user's draft: no one else will send it (R3). */
  const sendLeft = async (): Promise<boolean> => {
    const outcome = await sendLeftText(supervision, left);
    left = outcome.left;
    if (outcome.kind === 'stuck' && supervision.record.facts.escalation === undefined)
      await escalate(care, 'a prompt of devs is in its input box, and Enter does not send it');
    return outcome.kind === 'sent';
  };
  return {
    async step() {
      if (supervision.record.facts.isStopped) return false;
      const again = await finishPromised(care);
      if (again !== undefined) return again;
      if (isToBeTold(supervision)) return tellFirst(care);
      return (await sendLeft()) || lookAtAgent(care);
    },
    want: (action) => wanted.want(action),
    async restart(why) {
      const recovery = await openAgain(supervision, why);
      if (recovery.kind !== 'running') await orRenew(care, recovery);
    },
    letGo: () => wanted.abandon('the terminal was let go'),
  };
}

/** Finishes what was begun before, also by an earlier supervisor; `undefined` where there is nothing of that. */
async function finishPromised(care: TerminalCare): Promise<boolean | undefined> {
  const { supervision, renewals } = care;
  const { facts } = supervision.record;
  if (facts.restart !== undefined) {
    const outcome = await finishRestart(supervision);
    if (outcome.kind === 'failed') await escalate(care, `it could not be started: ${outcome.error}`);
    return true;
  }
  if (isRenewing(await renewals.read())) {
    await afterRenewal(care, goOnRenewing(supervision, renewals));
    return true;
  }
  const { state } = renewals;
  if (state.phase === 'failed' && wasNotReplaced(facts, state)) {
    await escalate(care, `the renewed agent could not be started: ${state.error}`);
    return false;
  }
  if (facts.contextAction === undefined) return undefined;
  await actOnContext(care, facts.contextAction.action);
  return true;
}

async function lookAtAgent(care: TerminalCare): Promise<boolean> {
  const { facts } = care.supervision.record;
  const exit = facts.agent?.exit;
  // An agent that died while parked no longer waits.
  if (facts.parkedUntil !== undefined && exit === undefined)
    return care.supervision.clock.now() >= facts.parkedUntil && unpark(care);
  if (facts.escalation !== undefined) return false;
  return performDecision(care, await decideNow(care), exit);
}

async function decideNow(care: TerminalCare): Promise<TerminalDecision> {
  const { supervision, policy, renewals, notices } = care;
  await seeFullness(care);
  const history = () => historyOf(supervision.record.facts, renewals.state, notices.mark);
  const decision = decide(await signalsNow(care), policy, history());
  if (TYPES.has(decision.do) && isPromptOnItsWay(supervision))
    return { do: 'wait', why: 'its first prompt is on its way' };
  if (!CARES.has(decision.do)) return decision;
  // Once more, on the current state: it may be at work again, and the store may know more.
  await supervision.agentProcess.agent?.look();
  const isConversationOver = (await care.isConversationOver?.()) ?? false;
  return decide({ ...(await signalsNow(care)), isConversationOver }, policy, history());
}

/** At a mark the agent is asked how full it is by its own count, where it can say so: what follows from it is costly. */
async function seeFullness({ supervision: { agentProcess, clock }, policy, fullness }: TerminalCare): Promise<void> {
  const { agent } = agentProcess;
  const { usage, conversationId = '' } = agent?.seen ?? {};
  const isReached = fullness.see(`${agent?.agentId} ${conversationId}`, markOf(usage, policy.marks), clock.now());
  if (isReached) await agent?.channel?.usage();
}

async function signalsNow({ supervision, wanted, specs, summaries, hasWorkLeft, fullness }: TerminalCare) {
  const { agentProcess, record, clock, timing } = supervision;
  const seen = agentProcess.agent?.seen;
  return signalsOf({
    now: clock.now(),
    seen,
    facts: record.facts,
    isAttended: supervision.isAttended(),
    isAttached: supervision.isAttached(),
    hasWorkLeft: hasWorkLeft() || (await isTaskOpen(supervision)),
    cacheMs: timing.cacheMs,
    fullSince: fullness.fullSince,
    ...(wanted.action === undefined ? {} : { contextAction: wanted.action }),
    specsChanged: seen?.state.activity === 'idle' && (await specs.haveChanged()),
    remindsByTyping: summaries !== undefined,
  });
}

async function tellFirst(care: TerminalCare): Promise<boolean> {
  const { supervision } = care;
  const { untold } = supervision.record.facts;
  const outcome = await sendPendingPrompt(supervision);
  if (outcome.kind === 'delivered' || outcome.reason === 'exited') return true; // its exit is looked at next
  if (outcome.kind === 'refused' && !supervision.isAttended())
    await escalate(care, `it could not be told what to do: ${outcome.reason}`);
  else supervision.notify({ kind: 'prompt-unconfirmed', text: untold?.text ?? '', reason: outcome.reason });
  return true;
}

async function unpark({ supervision }: TerminalCare): Promise<boolean> {
  await supervision.record.append({ type: 'park.ended' });
  const { agent } = supervision.agentProcess;
  agent?.note({ type: 'limit.waited-for' });
  if (agent === undefined || supervision.isAttended() || agent.seen.state.activity !== 'idle') return true;
  await typeOwnText(supervision, agent, await withRecords(supervision, AFTER_LIMIT_PROMPT));
  return true;
}

const CARES: ReadonlySet<TerminalDecision['do']> = new Set(['renew', 'interrupt', 'give-ledger', 're-inject']);
/** What types something into the agent, or asks it for its words. */
const TYPES: ReadonlySet<TerminalDecision['do']> = new Set(['renew', 'give-ledger', 're-inject', 'compact', 'clear']);
