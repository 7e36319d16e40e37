import { addTotals, describeStatus, runStream, type StoredEvent, StoreReplacedError } from '@devs/core';
import { createLane, type LaneOptions } from '../lane.js';
import { type KeptLeases, whyReplaced } from '../renew-leases.js';
import type { SuperviseRequest } from '../supervised-terminal.js';
import { DEFAULT_TIMING } from '../supervision.js';
import { createRunEnding, type RunEnding } from './end-run.js';
import { endTerminalOf } from './end-terminal-of.js';
import type { KnownRun } from './known-run.js';
import { createRunObserver } from './observe-run.js';
import { type AttendedRun, decideNow, performDecision } from './perform-decision.js';
import type { OpenedRun } from './prepare/open-run.js';
import { DEFAULT_RUN_TIMING, type RunHandle, type RunStatus } from './run.js';
import { RunNotes } from './run-notes.js';
import { FOR_ANSWER } from './run-questions.js';
import { createAgentTalk } from './talk-to-agent.js';
import { createSending } from './travel/create-sending.js';

/** Terminal events go to the run's supervisor, once there is one. */
export interface RunCallbacks {
  onNotice: NonNullable<SuperviseRequest['onNotice']>;
  onChange(): void;
}

export interface AttentionOptions extends Pick<KnownRun, 'request' | 'folder' | 'task' | 'terminal' | 'watch'> {
  readonly opened: OpenedRun;
  readonly ears: RunCallbacks;
  readonly leases: KeptLeases;
}

export interface Attention {
  readonly handle: RunHandle;
  sawEvent(event: StoredEvent): void;
  lose(why: string): void;
  /** The user was asked before. */
  ask(): void;
}

const STOPPED_BY_USER = 'the user stopped it';

/** Attends to a run until it is finished, paused or lost: looks, decides, does one thing, and looks again. */
export function superviseRun(options: AttentionOptions): Attention {
  const { request, opened, ears, leases } = options;
  const { id, record } = opened;
  const { clock } = request;
  const notes = new RunNotes(request);
  const tell = (text: string) => notes.add(text, clock.now());
  const sending = createSending(options, { tell, onOvertaken: (why) => ending.lose(why) });
  const run: KnownRun = {
    ...options,
    sender: sending?.sender,
    id,
    record,
    timing: { ...DEFAULT_RUN_TIMING, ...request.timing },
    clock,
    workflow: () => record.workflow ?? opened.workflow,
    tell,
    onError: (error) => tell(`trouble: ${String(error)}`),
  };
  const ending = createRunEnding(run, async () => {
    clearInterval(ticking);
    sending?.close();
    await lane.close();
    await leases.stop();
  });
  const talk = createAgentTalk(run, { isOver: () => ending.isOver, onActed: () => lane.wake() });
  const attended: AttendedRun = { run, observer: createRunObserver(run, talk), talk, ending, sending };
  const lane = createLane(looksAt(attended, leases));
  const ticking = setInterval(lane.wake, run.timing.lookMs);
  ears.onNotice = (notice) => {
    notes.notice(notice, clock.now());
    request.onNotice?.(notice);
    if (notice.kind === 'lost') void ending.lose(notice.why);
  };
  ears.onChange = () => {
    request.onChange?.();
    lane.wake();
  };
  void followStream(attended, lane.wake).catch(run.onError); // the next look reads it
  stopOnAbort(attended);
  lane.wake();
  return {
    handle: handleOf(attended, notes.last),
    sawEvent(event) {
      notes.event(event);
      if (event.type === 'stop.asked') void ending.stop(STOPPED_BY_USER);
    },
    lose: (why) => void ending.lose(why),
    ask: () => void ending.stop(FOR_ANSWER),
  };
}

/** Looks, decides and acts. A run that cannot be looked at has no budget and no limits: it is lost after a term of its lease. */
function looksAt(attended: AttendedRun, leases: KeptLeases): LaneOptions {
  const { run, ending } = attended;
  const leaseMs = run.request.timing?.leaseMs ?? DEFAULT_TIMING.leaseMs;
  let blindSince: number | undefined;
  return {
    async step() {
      if (ending.isOver || !(await leases.isOurs())) return false;
      const again = await performDecision(attended, await decideNow(attended));
      blindSince = undefined;
      return again;
    },
    onError(error) {
      run.onError(error);
      if (error instanceof StoreReplacedError) return void ending.lose(whyReplaced(error));
      const now = run.clock.now();
      run.watch.pass(now, 'care'); // an outage is no sign that its agent is stuck
      blindSince ??= now;
      if (now - blindSince > leaseMs) void ending.lose(`it could not be looked at: ${String(error)}`);
    },
  };
}

async function followStream({ run, ending }: AttendedRun, onEvent: () => void): Promise<void> {
  const { log } = run.request.store;
  for await (const _ of log.follow({ stream: runStream(run.id), signal: ending.signal })) onEvent();
}

function stopOnAbort({ run, ending }: AttendedRun): void {
  const { signal } = run.request;
  const onAbort = () => void ending.stop(STOPPED_BY_USER);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  void ending.done.then(() => signal?.removeEventListener('abort', onAbort));
}

const handleOf = ({ run, ending }: AttendedRun, last: RunStatus['last']): RunHandle => ({
  id: run.id,
  status: () => statusOfRun(run, ending, last),
  user: (is) => run.terminal?.user(is),
  interrupt: async (words) => (await run.terminal?.interrupt(words)) ?? { kind: 'not-seen', why: 'no agent runs' },
  renew: async (wish) => (await run.terminal?.renew(wish)) ?? { status: 'refused', reason: 'no agent' },
  async stop({ now }) {
    const stopped = ending.stop(STOPPED_BY_USER);
    if (now && run.terminal !== undefined && ending.end === undefined)
      await endTerminalOf(run.terminal.name, run.request.openHost, 0); // what it was given to end by itself is over
    await stopped;
  },
  leave: (why) => ending.leave(why),
  done: ending.done,
});

/** A run as viewers see it. */
function statusOfRun(run: KnownRun, { end, isOver }: RunEnding, last: RunStatus['last']): RunStatus {
  const { facts } = run.record;
  const { template, state } = run.workflow();
  const { folder, task, terminal, request } = run;
  const standing = facts.escalation === undefined ? 'running' : 'escalated';
  return {
    id: run.id,
    workflow: template.name,
    request: facts.plan?.request ?? '',
    agent: request.driver.agent,
    worktree: folder.path,
    ...(folder.branch === undefined ? {} : { branch: folder.branch }),
    ...(task === undefined ? {} : { taskId: task.id }),
    state: end === undefined ? (isOver ? 'stopping' : standing) : end.status === 'finished' ? 'finished' : 'paused',
    position: describeStatus(template, state),
    terminals: terminal === undefined ? [] : [terminal.status()],
    last,
    ...(facts.escalation === undefined ? {} : { escalation: facts.escalation }),
    totals: addTotals(facts.totals, run.watch.uncounted),
    ...(end === undefined ? {} : { end }),
  };
}
