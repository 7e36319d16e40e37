import type { RenewalCause } from '@devs/core';
import { beginRenewal } from '../renewal/begin-renewal.js';
import { createPerformer } from '../renewal/create-performer.js';
import { finishRenewal } from '../renewal/finish-renewal.js';
import type { RenewalRecord } from '../renewal/renewal-record.js';
import { writeDocument } from '../renewal/write-document.js';
import type { RenewOutcome } from '../supervised-terminal.js';
import type { Supervision } from '../supervision.js';

export interface RenewalWish {
  readonly cause: RenewalCause;
  readonly autoHandoff: boolean;
}

/** Renews the agent of a terminal, from the wish to the new agent at work. */
export async function renewAgent(
  supervision: Supervision,
  renewals: RenewalRecord,
  { cause, autoHandoff }: RenewalWish,
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
      autoHandoff,
      isShuttingDown: supervision.patience.signal.aborted,
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
  const end = await finishRenewal(
    telling(supervision, renewals),
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
  supervision.notify({
    kind: 'renewal-completed',
    refreshCount: end.completed,
    hadTask: task !== undefined,
    handoffLength: record.facts.document?.length ?? 0,
    ...resumeCommand,
    grants: old?.grants ?? [],
    alsoEnded: old?.alsoEnded ?? [],
  });
  return { status: 'renewed', refreshCount: end.completed, ...resumeCommand };
}

/** The record, with what is told of it along the way. */
const telling = ({ record, notify }: Supervision, renewals: RenewalRecord): RenewalRecord => ({
  get state() {
    return renewals.state;
  },
  read: renewals.read,
  async append(event) {
    const stored = await renewals.append(event);
    await record.read();
    if (event.type === 'renewal.abandoned') notify({ kind: 'renewal-abandoned', reason: event.reason });
    return stored;
  },
});

/** Only an agent that is idle and still remembers cheaply is asked, and only where the document would not do without. */
async function isWorthAsking(supervision: Supervision, agentId: string): Promise<boolean> {
  const { seat, clock, timing, ownWords } = supervision;
  const { agent } = seat;
  await agent?.look(); // what it was doing a moment ago does not count
  if (ownWords === 'never' || agent === undefined || agent.seen.state.activity !== 'idle' || supervision.isAttended())
    return false;
  const { lastTurnAt } = agent.seen;
  if (lastTurnAt !== undefined && clock.now() - lastTurnAt > timing.cacheMs) return false;
  return ownWords === 'always' || !(await writeDocument(supervision, agentId)).isEnough;
}
