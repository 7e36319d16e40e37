import { type Environment, isKeptBack, type NamedLease } from '@devs/core';
import type { HostedTerminal } from '@devs/terminals';
import { canResume } from './act/go-back.js';
import { isTaskOpen } from './act/perform-decision.js';
import { restartAgent } from './act/restart-agent.js';
import { settlePrompt } from './act/send-prompt.js';
import { finishStop } from './act/stop-agent.js';
import { type Charge, consider, hasWorkLeftBy, openCharge } from './charge.js';
import { createFarewell, type Farewell } from './farewell.js';
import type { AgentProcess, StartOutcome } from './launch/agent-process.js';
import { readEnvironmentOf, storedLaunch } from './launch/stored-launch.js';
import { decideStartup, ownerOf } from './record/decide-startup.js';
import { renewLeases } from './renew-leases.js';
import { terminalStream } from './renewal/renewal-record.js';
import type { SuperviseOutcome, SuperviseRequest } from './supervised-terminal.js';
import { DEFAULT_TIMING, type Supervision, type SupervisionTiming } from './supervision.js';
import { terminalOf } from './terminal-of.js';

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
  const charge = await openCharge(request, timing);
  const found = await beginningOf(charge);
  if (found.begin === 'foreign' || found.begin === 'nothing') {
    charge.hosts.close();
    return found.begin === 'foreign'
      ? { status: 'foreign', pid: found.hosted?.pid ?? 0 }
      : { status: 'nothing-to-supervise' };
  }
  const farewell = keepCharge(charge, lease);
  try {
    const started = found.begin === 'start' ? await startAgentOf(charge, found.hosted) : await takeUpIn(charge, found);
    if (started.kind === 'failed') {
      await farewell.close();
      return { status: 'not-started', error: started.error };
    }
    consider(charge);
    return { status: 'supervised', terminal: terminalOf(charge, farewell, started.notes) };
  } catch (error) {
    await farewell.giveUp(); // its host may have died under it, or the store
    throw error;
  }
}

/** What the host has, and how to begin with it. A stop that was not finished is finished first. */
async function beginningOf(charge: Charge) {
  const { supervision, renewals, request, attendance } = charge;
  const hasWorkLeft = hasWorkLeftBy(request) || (await isTaskOpen(supervision));
  const look = async () => {
    const hosted = await supervision.agentProcess.find();
    const begin = decideStartup({
      facts: supervision.record.facts,
      renewal: renewals.state,
      hosted: hosted === undefined ? 'nothing' : hosted.exit === undefined ? 'running' : 'exited',
      isToStart: request.launch !== undefined,
      isAttended: attendance.isAttached,
      hasWorkLeft,
    });
    return { hosted, begin };
  };
  const found = await look();
  if (found.begin !== 'finish-stop') return found;
  await finishStop(supervision);
  return look();
}

/** Keeps its leases and considers it from time to time, until it is left. */
function keepCharge(charge: Charge, lease: NamedLease): Farewell {
  const { request, supervision, hosts, lane, controller } = charge;
  const { store, clock, task } = request;
  const { timing, notify } = supervision;
  const leases = renewLeases({
    ...store,
    lease,
    task,
    leaseMs: timing.leaseMs,
    clock,
    onLost(why) {
      notify({ kind: 'lost', why });
      void farewell.giveUp();
    },
    onTaskLost: () => notify({ kind: 'trouble', detail: `task ${task?.id ?? ''} has another supervisor now` }),
  });
  charge.leases = leases;
  const ticking = setInterval(() => consider(charge), timing.considerMs).unref();
  const endsAgent = request.endsAgentWhenGivenUp === true;
  const farewell = createFarewell({ supervision, hosts, lane, leases, endsAgent }, () => {
    clearInterval(ticking);
    controller.letGo();
  });
  return farewell;
}

/** In its turn: nothing is decided about the agent before, whose end is known. */
const startAgentOf = ({ request, supervision, hosts, lane }: Charge, hosted: HostedTerminal | undefined) =>
  lane.run(async (): Promise<StartOutcome> => {
    const { launch, name, driver, newId, resumesStopped } = request;
    const { record, agentProcess } = supervision;
    // What has ended there and was never ours; what was ours is ended by the restart.
    if (record.facts.agent === undefined && hosted !== undefined) await hosts.use((host) => host.forget(name));
    if (launch !== undefined)
      await record.append({ type: 'terminal.opened', launch: storedLaunch(driver.agent, agentProcess.place, launch) });
    const stopped = resumesStopped !== undefined ? await stoppedConversation(supervision) : undefined;
    return stopped === undefined
      ? restartAgent(supervision, { conversation: { kind: 'first', id: newId() }, why: 'first' })
      : restartAgent(supervision, { conversation: { kind: 'resume', id: stopped }, why: 'resumed' });
  });

/** In its turn: nothing is decided about an agent that is not followed yet. */
const takeUpIn = ({ request, supervision, renewals, lane }: Charge, { hosted }: Pick<Found, 'hosted'>) => {
  const owner = ownerOf(supervision.record.facts, renewals.state);
  return lane.run(async (): Promise<StartOutcome> => {
    await takeUp(supervision.agentProcess, { hosted, owner, isToldHow: request.launch !== undefined });
    await settlePrompt(supervision);
    return { kind: 'started', notes: [] };
  });
};

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
async function takeUp(agentProcess: AgentProcess, { hosted, owner, isToldHow }: Found): Promise<void> {
  if (owner === undefined) return; // what was promised is finished first
  if (hosted === undefined) return agentProcess.lose(owner);
  const env = hosted.exit === undefined && !isToldHow ? await readEnvironmentOf(hosted.pid) : undefined;
  // The built-in agent has no keys in its environment: its successor gets those of the current supervisor.
  if (env !== undefined)
    agentProcess.place = { ...agentProcess.place, env: { ...keysIn(agentProcess.place.env), ...env } };
  await agentProcess.take(owner, hosted);
}

const keysIn = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => isKeptBack(name, value ?? '')));
