import { type AgentEvent, DEFAULT_POLICY, type Environment, isKeptBack, type NamedLease } from '@devs/core';
import type { HostedTerminal } from '@devs/terminals';
import { answerPermission } from './act/answer-permission.js';
import { canResume, goBack } from './act/go-back.js';
import { renewAgent } from './act/renew-agent.js';
import { restartAgent } from './act/restart-agent.js';
import { sendPrompt, settlePrompt } from './act/send-prompt.js';
import { canCallOff, finishStop, stopAgent } from './act/stop-agent.js';
import { holdsDraft } from './attendance.js';
import { createSupervision } from './create-supervision.js';
import { createFarewell } from './farewell.js';
import { keepLeases } from './keep-leases.js';
import { createLane } from './lane.js';
import type { Seat } from './launch/seat.js';
import { readEnvironmentOf, storedLaunch } from './launch/stored-launch.js';
import type { TerminalNotice } from './notice.js';
import { factOfNotice } from './record/fact-of-notice.js';
import { factOfPrompt, isWish } from './record/fact-of-prompt.js';
import { factOfEvent, usageOfTurn } from './record/facts-of-event.js';
import { howToBegin, ownerOf } from './record/how-to-begin.js';
import type { TerminalFacts } from './record/terminal-facts.js';
import { openTerminalRecord } from './record/terminal-record.js';
import { createRenewalRecord, terminalStream } from './renewal/renewal-record.js';
import { statusOf } from './status-of.js';
import type { SupervisedTerminal, SuperviseOutcome, SuperviseRequest } from './supervised-terminal.js';
import { DEFAULT_TIMING, type Supervision, type SupervisionTiming } from './supervision.js';
import { createWorker } from './worker.js';

/**
 * Supervises one terminal: starts its agent or adopts the running one, follows it, and does what the policy decides,
 * one thing after the other. Unfinished work of an earlier supervisor is finished first.
 */
export async function superviseTerminal(request: SuperviseRequest): Promise<SuperviseOutcome> {
  const { name, store, by } = request;
  const timing = { ...DEFAULT_TIMING, ...request.timing };
  const held = await store.leases.acquire({ name: terminalStream(name), by, leaseMs: timing.leaseMs });
  if (held.status === 'held') return held;
  const release = () => store.leases.release(held.lease).catch(() => false); // it ends by itself
  try {
    const outcome = await takeCharge(request, timing, held.lease);
    if (outcome.status !== 'supervised') await release();
    return outcome;
  } catch (error) {
    await release();
    throw error;
  }
}

async function takeCharge(
  request: SuperviseRequest,
  timing: SupervisionTiming,
  lease: NamedLease,
): Promise<SuperviseOutcome> {
  const { name, driver, store, clock, newId } = request;
  const policy = { ...DEFAULT_POLICY, ...request.policy };
  const notes: string[] = [];
  const notify = (notice: TerminalNotice) => {
    const fact = factOfNotice(notice);
    if (fact !== undefined) void record.append(fact).catch(() => {}); // the store itself may be the trouble
    request.onNotice?.(notice);
    request.onChange?.();
  };
  const trouble = onceEach((detail) => notify({ kind: 'trouble', detail }));
  const record = openTerminalRecord(store.log, name);
  const renewals = createRenewalRecord(store.log, name);
  await Promise.all([record.read(), renewals.read()]);

  const lane = createLane({ step: async () => (await leases.isOurs()) && worker.step(), onTrouble: trouble });
  const consider = () => {
    request.onChange?.();
    lane.nudge();
  };
  const noteProgress = () => {
    if (renewals.state.inARow > 0) void renewals.append({ type: 'progress.made' }).catch(trouble);
  };
  const hear = (agentId: string, event: AgentEvent) => {
    if (lane.isClosed) return;
    const isAttended = attendance.isAttended(seat.agent);
    const usage = seat.agent?.seen.usage;
    const factsIn = [
      (facts: TerminalFacts) => factOfEvent(facts, event, { agentId, isWorkAwaited: !renewals.state.hasWorked }),
      (facts: TerminalFacts) => usageOfTurn(facts, event, { agentId, usage }),
      (facts: TerminalFacts) => factOfPrompt(facts, event, { agentId, isAttended }),
    ];
    for (const factIn of factsIn) if (factIn(record.facts) !== undefined) void record.note(factIn).catch(trouble);
    if (isAttended && isWish(event)) noteProgress();
    request.onAgentEvent?.(event, agentId);
    consider();
  };
  const { supervision, attendance, hosts } = createSupervision({
    request,
    timing,
    record,
    lane,
    notify,
    onEvent: hear,
  });
  const { seat } = supervision;
  const hasWorkLeft = () => request.hasWorkLeft?.() ?? false;
  const { summaries, isConversationOver } = request;
  const worker = createWorker({ supervision, renewals, policy, summaries, hasWorkLeft, isConversationOver });

  const hasWork = hasWorkLeft() || (await worker.isTaskOpen());
  const look = async () => {
    const there = await seat.find();
    const begin = howToBegin({
      facts: record.facts,
      renewal: renewals.state,
      hosted: there === undefined ? 'nothing' : there.exit === undefined ? 'running' : 'exited',
      isToStart: request.launch !== undefined,
      isAttended: attendance.isAttached,
      hasWorkLeft: hasWork,
    });
    return { hosted: there, begin };
  };
  const found = await look();
  if (found.begin === 'finish-stop') await finishStop(supervision);
  const { hosted, begin } = found.begin === 'finish-stop' ? await look() : found;
  if (begin === 'foreign' || begin === 'nothing') {
    hosts.close();
    return begin === 'foreign' ? { status: 'foreign', pid: hosted?.pid ?? 0 } : { status: 'nothing-to-supervise' };
  }
  const leases = keepLeases({
    ...store,
    lease,
    task: request.task,
    leaseMs: timing.leaseMs,
    clock,
    onLost(why) {
      notify({ kind: 'lost', why });
      void giveUp();
    },
    onTaskLost: () => notify({ kind: 'trouble', detail: `task ${request.task?.id ?? ''} was given to somebody else` }),
  });
  const ticking = setInterval(consider, timing.considerMs).unref();
  const { close, giveUp } = createFarewell(
    { supervision, hosts, lane, leases, endsAgent: request.endsAgentWhenGivenUp === true },
    () => {
      clearInterval(ticking);
      worker.letGo();
    },
  );

  const startOrTakeUp = async (): Promise<SuperviseOutcome | undefined> => {
    if (begin === 'start' && request.launch !== undefined) {
      const { launch } = request;
      // In its turn: nothing is decided about the agent before, whose end is known.
      const started = await lane.run(async () => {
        // What has ended there and was never ours; what was ours is ended by the restart.
        if (record.facts.agent === undefined && hosted !== undefined) await hosts.use((host) => host.forget(name));
        await record.append({ type: 'terminal.opened', launch: storedLaunch(driver.agent, seat.place, launch) });
        const stopped = request.resumesStopped !== undefined ? await stoppedConversation(supervision) : undefined;
        return stopped === undefined
          ? restartAgent(supervision, { conversation: { kind: 'first', id: newId() }, why: 'first' })
          : restartAgent(supervision, { conversation: { kind: 'resume', id: stopped }, why: 'resumed' });
      });
      if (started.kind === 'failed') {
        await close();
        return { status: 'not-started', error: started.error };
      }
      notes.push(...started.notes);
    } else {
      const owner = ownerOf(record.facts, renewals.state);
      // In its turn: nothing is decided about an agent that is not followed yet.
      await lane.run(async () => {
        await takeUp(seat, { hosted, owner, isToldHow: request.launch !== undefined });
        await settlePrompt(supervision);
      });
    }
    return undefined;
  };
  const failure = await startOrTakeUp().catch(async (error: unknown) => {
    await giveUp(); // its host may have died under it, or the store
    throw error;
  });
  if (failure !== undefined) return failure;
  consider();

  const terminal: SupervisedTerminal = {
    name,
    status: () => statusOf({ supervision, renewal: renewals.state, policy, notes }),
    send: (text, only) =>
      lane.run(async () => {
        if (only !== undefined) await seat.agent?.look(); // it may have gone to work a moment ago
        if ((await only?.if()) === false) return { kind: 'refused', reason: 'busy' };
        return sendPrompt(supervision, text);
      }),
    renew: ({ keepsDraft = false } = {}) =>
      lane.run(async () => {
        if (keepsDraft && holdsDraft(seat.agent, driver)) return { status: 'refused', reason: 'draft' };
        if (record.facts.escalation !== undefined) await record.append({ type: 'escalation.settled' });
        return renewAgent(supervision, renewals, { cause: 'asked for', policy });
      }),
    answerPermission: (requestId, chosen) => lane.run(() => answerPermission(supervision, requestId, chosen)),
    restart: (why) => lane.run(() => worker.restart(why)),
    undoRenewal: () => lane.run(() => goBack(supervision)),
    contextAction(action) {
      const performed = worker.want(action);
      consider();
      return performed;
    },
    boundary({ isUnrelated } = { isUnrelated: false }) {
      seat.agent?.note({ type: 'boundary.reached', isUnrelated, at: clock.now() });
      noteProgress();
      consider();
    },
    user(is) {
      attendance.note(is);
      seat.agent?.answerQueries(!attendance.isAttached);
      consider();
    },
    specsChanged() {
      worker.specsChanged();
      consider();
    },
    seeHook: (payload) => seat.agent?.seeHook(payload),
    async settle() {
      await record.append({ type: 'escalation.settled' });
      seat.agent?.note({ type: 'failure.settled' });
      consider();
    },
    async stop(manner) {
      await record.append({ type: 'terminal.stopped' });
      if (canCallOff(renewals)) lane.callOff('the terminal is being stopped');
      return lane.run(() => stopAgent(supervision, renewals, manner));
    },
    close,
    giveUp,
  };
  return { status: 'supervised', terminal };
}

interface Found {
  readonly hosted: HostedTerminal | undefined;
  readonly owner: string | undefined;
  /** The current supervisor knows how it was started, and in what environment. */
  readonly isToldHow: boolean;
}

/** The conversation that was stopped, where it was written down and can be opened again. */
async function stoppedConversation(supervision: Supervision): Promise<string | undefined> {
  const { conversationId, path } = supervision.record.facts.agent ?? {};
  if (conversationId === undefined || path === undefined) return undefined;
  return (await canResume(supervision, conversationId)) ? conversationId : undefined;
}

/** Follows the running agent, or records its end; an agent gone without a trace died with its host. */
async function takeUp(seat: Seat, { hosted, owner, isToldHow }: Found): Promise<void> {
  if (owner === undefined) return; // what was promised is finished first
  if (hosted === undefined) return seat.lose(owner);
  const env = hosted.exit === undefined && !isToldHow ? await readEnvironmentOf(hosted.pid) : undefined;
  // The built-in agent has no keys in its environment: its successor gets those of the current supervisor.
  if (env !== undefined) seat.place = { ...seat.place, env: { ...keysIn(seat.place.env), ...env } };
  await seat.take(owner, hosted);
}

const keysIn = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => isKeptBack(name, value ?? '')));

/** The same trouble at every look is told once. */
function onceEach(tell: (text: string) => void): (error: unknown) => void {
  let last = '';
  return (error) => {
    const text = String(error);
    if (text !== last) tell(text);
    last = text;
  };
}
