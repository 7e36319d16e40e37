import { setTimeout as pauseFor } from 'node:timers/promises';
import { howSettled, runEventOf } from '@devs/core';
import { gatherRunEvidence, WorkNotKeptError } from './gather-run-evidence.js';
import type { KnownRun } from './known-run.js';
import { observeHead } from './observe-head.js';
import type { RunEnd } from './run.js';
import { FOR_ANSWER, raiseQuestion } from './run-questions.js';
import { resultOf } from './run-result.js';
import { settleTask } from './settle-task.js';

/** The work of a run could not be pushed, so that no other machine could build on it: the run is not done. */
class WorkNotSentError extends Error {
  override readonly name = 'WorkNotSentError';
  readonly question = 'The work of the run could not be pushed. What should happen?';

  constructor(why: string) {
    super(`Other machines cannot have it: ${why}.`);
  }
}

/** How a run comes to its end, for now or for good. Everything is stored before it is done. */
export interface RunEnding {
  /** From the first moment on: nothing else is begun any more. */
  readonly isOver: boolean;
  readonly end: RunEnd | undefined;
  /** Aborted when what is being done is cancelled. */
  readonly signal: AbortSignal;
  readonly done: Promise<RunEnd>;
  /** Its workflow is at its end. */
  finish(): Promise<void>;
  /** Ends the agent and pauses. What is being finished is cancelled. */
  stop(why: string, budget?: string): Promise<void>;
  /** It belongs to another now, or nothing can be stored any more. */
  lose(why: string): Promise<void>;
  /** Lets go of it between two decisions: its agent works on, and the next supervisor continues. */
  leave(why: string): Promise<void>;
}

const RELEASE_MS = 2_000;

/** `left`: for the next supervisor, with its agent alive. */
type Phase = 'attended' | 'finishing' | 'pausing' | 'left';

/** `release`: lets go of everything that was held. */
export function createRunEnding(run: KnownRun, release: () => Promise<void>): RunEnding {
  const calledOff = new AbortController();
  let phase: Phase = 'attended';
  let end: RunEnd | undefined;
  let settleDone: (end: RunEnd) => void = () => {};
  const done = new Promise<RunEnd>((resolve) => {
    settleDone = resolve;
  });
  const close = async (how: RunEnd) => {
    if (end !== undefined) return;
    end = how;
    calledOff.abort();
    await letGo(run, { how, isLeft: phase === 'left', release });
    settleDone(how);
  };
  const lose = (why: string) => close({ status: 'lost', why });
  const pause = async (why: string, budget?: string) => {
    phase = 'pausing'; // from here on it is the agent's end that is waited for
    await close(await pauseRun(run, why, budget));
  };
  const notFinished = async (error: unknown) => {
    if (phase === 'left') return; // the record says how far it came
    if (error instanceof WorkNotKeptError || error instanceof WorkNotSentError)
      return askAbout(run, error).then(() => pause(FOR_ANSWER));
    if (!calledOff.signal.aborted) throw error;
    return pause('it was stopped while it was being finished');
  };
  return {
    get isOver() {
      return phase !== 'attended' || end !== undefined;
    },
    get end() {
      return end;
    },
    signal: calledOff.signal,
    done,
    async finish() {
      if (this.isOver) return;
      phase = 'finishing';
      await completeRun(run, calledOff.signal)
        .then(close, notFinished)
        .catch((error: unknown) => lose(`it could not be finished: ${String(error)}`));
    },
    async stop(why, budget) {
      if (this.isOver)
        calledOff.abort(); // the record says how far it came
      else await pause(why, budget).catch((error: unknown) => lose(`it could not be paused: ${String(error)}`));
      await done;
    },
    lose,
    async leave(why) {
      if (end === undefined && phase !== 'pausing') {
        phase = 'left';
        await lose(why);
      }
      await done;
    },
  };
}

interface LettingGo {
  readonly how: RunEnd;
  readonly isLeft: boolean;
  release(): Promise<void>;
}

async function letGo({ terminal, request }: KnownRun, { how, isLeft, release }: LettingGo): Promise<void> {
  // The writer of the run's end has ended its agent. If the end could not be stored, it is ended now, without the
  // store.
  if (how.status === 'lost' && !isLeft) await terminal?.giveUp();
  else await terminal?.close().catch(() => {}); // its host may be gone
  const released = release().catch(() => {});
  // A store that does not answer delays no exit: leases end by themselves.
  await (how.status === 'lost' ? Promise.race([released, pauseFor(RELEASE_MS)]) : released);
  request.onChange?.();
}

async function pauseRun(run: KnownRun, why: string, budget?: string): Promise<RunEnd> {
  const { record, terminal, task, request } = run;
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
  await run.sender?.send(); // what cannot be pushed now is here for the next holder
  const asked = escalation === undefined || escalation.answer !== undefined ? {} : { escalation };
  return { status: 'paused', why, ...asked, ...(budget === undefined ? {} : { budget }) };
}

/** It is finished again when the user has answered. */
async function askAbout(run: KnownRun, { message, question }: WorkNotKeptError | WorkNotSentError): Promise<void> {
  const diagnosis = `${message} Remove the cause, then answer: devs tries again. To leave it as it is: devs stop ${run.id} --give-up.`;
  await raiseQuestion(run, { question, diagnosis });
}

async function completeRun(run: KnownRun, signal: AbortSignal): Promise<RunEnd> {
  const { id, record, terminal, task, folder, request } = run;
  await record.read();
  await countUsage(run);
  await terminal?.stop({ keepsTask: true }); // what it writes after its work was kept would be on no branch
  await countUsage(run); // its last words
  await observeHead(run);
  await gatherRunEvidence({ id, record, folder, parts: request, commandMs: run.timing.commandMs, signal });
  const sent = await run.sender?.sendSurely(signal);
  signal.throwIfAborted();
  if (sent?.status === 'overtaken') return { status: 'lost', why: 'another machine has it now' };
  if (sent?.status === 'not-sent') throw new WorkNotSentError(sent.why);
  const result = resultOf(run.workflow(), record.facts);
  const isOurs = await settleTask(request.store, record.facts, { held: task, by: request.by, result });
  const { outcome, detail } = isOurs
    ? result
    : { outcome: 'given-up' as const, detail: 'its task was taken over meanwhile' };
  await record.append({ type: 'run.finished', outcome, detail });
  return { status: 'finished', outcome, detail };
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
