import { decideRun, type RunDecision } from '@devs/core';
import { countUsage, type RunEnding } from './end-run.js';
import type { KnownRun } from './known-run.js';
import { observeHead } from './observe-head.js';
import type { RunObserver } from './observe-run.js';
import { afterSending, answerAsked, askAgain, raiseQuestion, settleQuestion, waitForAnswer } from './run-questions.js';
import type { AgentTalk } from './talk-to-agent.js';
import type { Sending } from './travel/create-sending.js';

/** A run while its supervisor attends to it. */
export interface AttendedRun {
  readonly run: KnownRun;
  readonly observer: RunObserver;
  readonly talk: AgentTalk;
  readonly ending: RunEnding;
  readonly sending: Sending | undefined;
}

export const decideNow = async ({ run, observer }: AttendedRun): Promise<RunDecision> =>
  decideRun(await observer.observe(), run.request.settings, run.timing);

/** `true`: look again at once. Slow work is started, and continues in parallel. */
export async function performDecision(attended: AttendedRun, decision: RunDecision): Promise<boolean> {
  const { run, talk, ending } = attended;
  const { record, watch, terminal } = run;
  switch (decision.do) {
    case 'nothing':
      return false;
    case 'boundary':
      return passBoundary(attended);
    case 'want-turn-end':
      await record.append({ type: 'turn-end.wanted', why: 'its context is nearly full' });
      return true;
    case 'settle-turn-end':
      await record.append({ type: 'turn-end.settled' });
      return true;
    case 'context-action':
      void talk.act(decision.action).catch(run.onError);
      return false;
    case 'send':
      await send(attended, decision);
      return false; // its state is another one soon
    case 'answer-permission':
      await answerAsked(attended, decision);
      return true;
    case 'renew':
      return renew(attended);
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
      await raiseQuestion(run, decision);
      if (decision.answer !== undefined) return true;
      waitForAnswer(attended, decision.endsAgent);
      return false;
    case 'ask-again':
      await askAgain(attended, { isTyped: false, why: decision.why, endsAgent: decision.endsAgent });
      return false;
    case 'settle-escalation':
      await settleQuestion(run, decision.how, decision.isKept === true ? { isKept: true } : {});
      return true;
    case 'pause':
      await record.append({ type: 'budget.reached', ...decision.budget });
      void ending.stop(`the budget is reached: ${decision.budget.detail}`, decision.budget.budget);
      return false;
    case 'finish':
      void ending.finish();
      return false;
  }
}

async function send(attended: AttendedRun, { prompt }: Extract<RunDecision, { do: 'send' }>): Promise<void> {
  // What the terminal did before the prompt's turn came may have made it needless, or wrong.
  const isStillWanted = async () => {
    const now = attended.ending.isOver ? undefined : await decideNow(attended);
    return now?.do === 'send' && now.prompt === prompt;
  };
  await afterSending(attended, prompt, await attended.talk.send(prompt, isStillWanted));
}

async function renew(attended: AttendedRun): Promise<boolean> {
  const outcome = await attended.run.terminal?.renew();
  if (outcome?.status === 'renewed') return true;
  const question = 'Its agent cannot be started. What should happen?';
  await raiseQuestion(attended.run, { question, diagnosis: JSON.stringify(outcome ?? 'no terminal') });
  waitForAnswer(attended);
  return false;
}

async function passBoundary({ run, observer, ending, sending }: AttendedRun): Promise<boolean> {
  observer.toldOfStepEnd();
  run.terminal?.boundary();
  run.watch.stepEnded();
  await countUsage(run);
  await observeHead(run);
  sending?.wake();
  if (run.task === undefined) return true;
  const found = await run.request.store.tasks.get(run.task.id);
  if (found?.fence === run.task.fence) return true;
  void ending.stop(`its task ${run.task.id} has another supervisor now`);
  return false;
}
