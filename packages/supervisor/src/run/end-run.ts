import { setTimeout as pauseFor } from 'node:timers/promises';
import { howSettled, runEventOf } from '@devs/core';
import { gatherRunEvidence, WorkNotKeptError } from './gather-run-evidence.js';
import type { KnownRun } from './known-run.js';
import { observeHead } from './observe-head.js';
import type { RunEnd } from './run.js';
import { resultOf } from './run-result.js';
import { settleTask } from './settle-task.js';

/** How a run comes to its end, for now or for good. Everything is stored before it is done. */
export interface RunEnding {
  /** From the first moment on: nothing else is begun any more. */
  readonly isOver: boolean;
  readonly end: RunEnd | undefined;
  /** Aborted when what is being done is called off. */
  readonly signal: AbortSignal;
  readonly done: Promise<RunEnd>;
  /** Its workflow is at its end. */
  finish(): Promise<void>;
  /** Ends the agent and pauses. What is being finished is called off. */
  stop(why: string, budget?: string): Promise<void>;
  /** It belongs to another now, or nothing can be stored any more. */
  lose(why: string): Promise<void>;
  /** Lets go of it between two decisions: its agent works on, and the next supervisor continues. */
  leave(why: string): Promise<void>;
}

const RELEASE_MS = 2_000;

const NOT_COMMITTED = 'The work of the run could not be committed. What should happen?';

/** `release`: lets go of everything that was held. */
export function createRunEnding(run: KnownRun, release: () => Promise<void>): RunEnding {
  const { id, record, terminal, task, folder, request } = run;
  const calledOff = new AbortController();
  let isOver = false;
  let isLeft = false;
  let isPausing = false;
  let end: RunEnd | undefined;
  let settleDone: (end: RunEnd) => void = () => {};
  const done = new Promise<RunEnd>((resolve) => {
    settleDone = resolve;
  });

  const close = async (how: RunEnd) => {
    if (end !== undefined) return;
    isOver = true;
    end = how;
    calledOff.abort();
    // The writer of the run's end has ended its agent. If the end could not be stored, it is ended now, without the
    // store.
    if (how.status === 'lost' && !isLeft) await terminal?.giveUp();
    else await terminal?.close().catch(() => {}); // its host may be gone
    const released = release().catch(() => {});
    // A store that does not answer delays no exit: leases end by themselves.
    await (how.status === 'lost' ? Promise.race([released, pauseFor(RELEASE_MS)]) : released);
    request.onChange?.();
    settleDone(how);
  };
  const lose = (why: string) => close({ status: 'lost', why });

  const pause = async (why: string, budget?: string) => {
    isPausing = true; // from here on it is the agent's end that is waited for
    await record.read();
    await settleAnswered(run);
    const { escalation } = record.facts;
    await countUsage(run);
    await record.append({ type: 'run.paused', why });
    if (escalation !== undefined && escalation.answer === undefined && task !== undefined)
      await request.store.tasks.block({ ...task, reason: `${escalation.question} ${escalation.diagnosis}` });
    await terminal?.stop();
    await countUsage(run); // its last words
    await observeHead(run);
    const asked = escalation === undefined || escalation.answer !== undefined ? {} : { escalation };
    await close({ status: 'paused', why, ...asked, ...(budget === undefined ? {} : { budget }) });
  };

  /** It is finished again when the user has answered. */
  const askAbout = async ({ message }: WorkNotKeptError) => {
    const escalationId = `q-${request.newId().replaceAll('-', '').slice(0, 6)}`;
    const diagnosis = `${message} Remove the cause, then answer: devs tries again. To leave it as it is: devs stop ${id} --give-up.`;
    await record.append({ type: 'escalation.raised', escalationId, question: NOT_COMMITTED, diagnosis });
    request.onNotice?.({ kind: 'escalated', why: `${NOT_COMMITTED} ${diagnosis}` });
    await pause('it waits for an answer of the user');
  };

  const complete = async () => {
    const { signal } = calledOff;
    await record.read();
    await countUsage(run);
    await terminal?.stop({ keepsTask: true }); // what it writes after its work was kept would be on no branch
    await countUsage(run); // its last words
    await observeHead(run);
    await gatherRunEvidence({ id, record, folder, parts: request, commandMs: run.timing.commandMs, signal });
    const result = resultOf(run.workflow(), record.facts);
    const isOurs = await settleTask(request.store, record.facts, { held: task, by: request.by, result });
    const { outcome, detail } = isOurs
      ? result
      : { outcome: 'given-up' as const, detail: 'its task became somebody else’s meanwhile' };
    await record.append({ type: 'run.finished', outcome, detail });
    await close({ status: 'finished', outcome, detail });
  };

  return {
    get isOver() {
      return isOver;
    },
    get end() {
      return end;
    },
    signal: calledOff.signal,
    done,
    async finish() {
      if (isOver) return;
      isOver = true;
      await complete()
        .catch((error: unknown) => {
          if (isLeft) return; // the record says how far it came
          if (error instanceof WorkNotKeptError) return askAbout(error);
          if (!calledOff.signal.aborted) throw error;
          return pause('it was stopped while it was being finished');
        })
        .catch((error: unknown) => lose(`it could not be finished: ${String(error)}`));
    },
    async stop(why, budget) {
      const isFirst = !isOver;
      isOver = true;
      if (isFirst) await pause(why, budget).catch((error: unknown) => lose(`it could not be paused: ${String(error)}`));
      else calledOff.abort(); // the record says how far it came
      await done;
    },
    lose,
    async leave(why) {
      isLeft = end === undefined && !isPausing;
      if (isLeft) await lose(why);
      await done;
    },
  };
}

/** What the user answered in the terminal since the last look is not asked any more. */
async function settleAnswered({ record, terminal }: KnownRun): Promise<void> {
  const { escalation } = record.facts;
  const activity = terminal?.status().state?.activity;
  if (escalation === undefined || escalation.answer !== undefined || activity === undefined) return;
  const how = howSettled(escalation, activity);
  if (how !== undefined) await record.append({ type: 'escalation.settled', escalationId: escalation.id, how });
}

/** Stores what was used since the last time. */
export async function countUsage({ watch, record }: Pick<KnownRun, 'watch' | 'record'>): Promise<void> {
  const counted = watch.takeUsage();
  if (counted.length > 0) await record.decide(() => counted.map(runEventOf));
}
