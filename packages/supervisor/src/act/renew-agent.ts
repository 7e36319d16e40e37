import type { RenewalCause, TerminalPolicy } from '@devs/core';
import { LOST } from '../follow/follow-agent.js';
import { beginRenewal } from '../renewal/begin-renewal.js';
import { createPerformer } from '../renewal/create-performer.js';
import { finishRenewal } from '../renewal/finish-renewal.js';
import type { RenewalRecord } from '../renewal/renewal-record.js';
import { writeDocument } from '../renewal/write-document.js';
import type { RenewOutcome } from '../supervised-terminal.js';
import type { Supervision } from '../supervision.js';

export interface RenewalWish {
  readonly cause: RenewalCause;
  readonly policy: Pick<TerminalPolicy, 'autoHandoff' | 'mostRenewals'>;
  /** It has exited with something left to do, and that is why. */
  readonly hasWorkLeft?: boolean;
}

/** Renews the agent of a terminal, from the wish to the new agent at work. */
export async function renewAgent(
  supervision: Supervision,
  renewals: RenewalRecord,
  { cause, policy, hasWorkLeft }: RenewalWish,
): Promise<RenewOutcome> {
  const { record, task, newId, clock } = supervision;
  const { agent, launch } = record.facts;
  if (agent === undefined) return { status: 'refused', reason: 'no agent' };
  if (launch?.hidden === true && !supervision.hasAllArguments)
    return { status: 'refused', reason: 'arguments held a secret' };
  const begun = await beginRenewal(
    renewals,
    {
      cause,
      agentId: agent.agentId,
      ...(task === undefined ? {} : { taskId: task.id }),
      ask: await isWorthAsking(supervision, agent.agentId),
      autoHandoff: policy.autoHandoff,
      most: policy.mostRenewals,
      isShuttingDown: supervision.patience.signal.aborted,
      ...(hasWorkLeft === undefined ? {} : { exit: { exitCode: agent.exit?.exitCode ?? LOST, hasWorkLeft } }),
    },
    { newId, now: clock.now },
  );
  if (!begun.begun) return { status: 'refused', reason: begun.reason };
  await record.read();
  supervision.notify({ kind: 'renewal-started', cause, refreshCount: begun.refreshCount });
  return goOnRenewing(supervision, renewals);
}

/** From wherever the record says that a renewal is, to its end. */
export async function goOnRenewing(supervision: Supervision, renewals: RenewalRecord): Promise<RenewOutcome> {
  const { record, task, source } = supervision;
  const before = await renewals.read();
  let missed: string | undefined;
  const end = await finishRenewal(
    telling(supervision, renewals, (reason) => {
      missed = reason;
    }),
    createPerformer(supervision, () => renewals.state),
  );
  if (end.phase === 'failed') {
    supervision.notify({ kind: 'renewal-failed', error: end.error });
    return { status: 'failed', error: end.error };
  }
  if (end.completed === before.completed) return { status: 'abandoned' };
  const old = record.facts.before[0];
  const resume = old?.conversationId === undefined ? undefined : source?.resumeCommand(old.conversationId);
  const resumeCommand = resume === undefined ? {} : { resumeCommand: resume };
  const how = missed === undefined ? {} : { missed };
  // Some CLIs are a script that starts the program of the same name: that is the agent itself.
  const alsoEnded = old?.alsoEnded.filter((command) => command !== supervision.driver.agent) ?? [];
  const leftBehind = { grants: old?.grants ?? [], alsoEnded };
  supervision.notify({
    kind: 'renewal-completed',
    refreshCount: end.completed,
    hadTask: task !== undefined,
    handoffLength: record.facts.document?.length ?? 0,
    ...resumeCommand,
    ...leftBehind,
    ...how,
  });
  if (missed !== undefined) await askForHelp(supervision, missed);
  return { status: 'renewed', refreshCount: end.completed, ...resumeCommand, ...leftBehind, ...how };
}

/** For an idle agent that does nothing. The policy handles ended, waiting and failed agents. */
async function askForHelp({ agentProcess, record, isAttended, notify }: Supervision, reason: string): Promise<void> {
  const { agent } = agentProcess;
  const { activity } = agent?.seen.state ?? {};
  const isStanding = agent?.view() !== 'exited' && (activity === 'idle' || activity === 'starting');
  if (!isStanding || agent?.seen.failure !== undefined || isAttended() || record.facts.isStopped) return;
  const why = `the renewed agent did not take up the work: ${reason}`;
  await record.append({ type: 'escalation.raised', why });
  notify({ kind: 'escalated', why });
}

/** The record, with what is told of it along the way. */
const telling = (
  { record, notify }: Supervision,
  renewals: RenewalRecord,
  onMissed: (reason: string) => void,
): RenewalRecord => ({
  get state() {
    return renewals.state;
  },
  read: renewals.read,
  async append(event) {
    const stored = await renewals.append(event);
    await record.read();
    if (event.type === 'takeover.missed') onMissed(event.reason);
    if (event.type === 'renewal.abandoned') notify({ kind: 'renewal-abandoned', reason: event.reason });
    return stored;
  },
});

/** Only an agent that is idle and still remembers cheaply is asked, and only where the document would not do without. */
async function isWorthAsking(supervision: Supervision, agentId: string): Promise<boolean> {
  const { agentProcess, clock, timing, ownWords } = supervision;
  const { agent } = agentProcess;
  await agent?.look(); // what it was doing a moment ago does not count
  if (ownWords === 'never' || agent === undefined || agent.seen.state.activity !== 'idle' || supervision.isAttended())
    return false;
  const { lastTurnAt } = agent.seen;
  if (lastTurnAt !== undefined && clock.now() - lastTurnAt > timing.cacheMs) return false;
  return ownWords === 'always' || !(await writeDocument(supervision, agentId)).isEnough;
}
