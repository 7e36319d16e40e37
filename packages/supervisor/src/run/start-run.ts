import { join } from 'node:path';
import { answerPrompt, RUN_INSTRUCTIONS, type StoredEvent } from '@devs/core';
import { TRANSCRIPT_SOURCES } from '@devs/drivers';
import { TerminalHostRefusedError, TerminalHostUnavailableError } from '@devs/terminals';
import { transcriptsOf } from '../create-supervision.js';
import { renewLeases } from '../renew-leases.js';
import { terminalStream } from '../renewal/renewal-record.js';
import { superviseTerminal } from '../supervise-terminal.js';
import type { SupervisedTerminal, SuperviseOutcome, SuperviseRequest } from '../supervised-terminal.js';
import { DEFAULT_TIMING, type HeldTask } from '../supervision.js';
import { termsOf } from '../terminal-context.js';
import { knownFor, openingFor } from './opening-for.js';
import { holdTask } from './prepare/hold-task.js';
import { openInFolder } from './prepare/open-in-folder.js';
import { type OpenedRun, openRun } from './prepare/open-run.js';
import { prepareFolder, type RunFolder } from './prepare/prepare-folder.js';
import { readLeftByStep } from './read-left-by-step.js';
import { DEFAULT_RUN_TIMING, type RunRequest, type StartRunOutcome } from './run.js';
import type { RunRecord } from './run-record.js';
import { createRunWatch, type RunWatch } from './run-watch.js';
import { type Attention, type RunCallbacks, superviseRun } from './supervise-run.js';
import { toolsReportOf } from './tools-watch.js';
import { untilFree } from './until-free.js';

const POLL_MS = 100;

/**
 * Takes a workflow to its end with one agent, from any position. Everything is stored before it is done, so that a
 * successor continues after a crash.
 */
export async function startRun(request: RunRequest): Promise<StartRunOutcome> {
  const { store, clock } = request;
  const leaseMs = request.timing?.leaseMs ?? DEFAULT_TIMING.leaseMs;
  let attention: Attention | undefined;
  const onEvent = (event: StoredEvent) => {
    attention?.sawEvent(event);
    request.onEvent?.(event);
  };
  const opened = await openRun(request, { leaseMs, onEvent });
  if (opened.status !== 'opened') return opened;
  let lostWhy: string | undefined;
  const leases = renewLeases({
    ...store,
    lease: opened.lease,
    task: taskAtHand(request), // preparing may take longer than a claim lasts
    leaseMs,
    clock,
    onLost(why) {
      lostWhy = why;
      attention?.lose(why);
    },
    onTaskLost() {},
  });
  try {
    const begun = await begin(request, opened);
    if (begun.status !== 'begun') {
      await leases.stop();
      return begun;
    }
    if (begun.task !== undefined) leases.hold(begun.task); // also where no terminal is left that does
    attention = superviseRun({ request, opened, ...begun, leases });
    if (lostWhy !== undefined)
      attention.lose(lostWhy); // while it was being prepared
    else if (keepsQuestion(request) && !waitsForAnswer(request) && isAsking(opened)) attention.ask();
    return { status: 'started', run: attention.handle, notes: begun.folder.notes };
  } catch (error) {
    await leases.stop();
    throw error;
  }
}

const keepsQuestion = (request: RunRequest): boolean =>
  request.runId !== undefined && (request.keepsQuestion === true || request.adopts === true);

/** A run that waits for its answer with its agent alive is adopted unchanged. */
const waitsForAnswer = (request: RunRequest): boolean =>
  request.runId !== undefined && request.adopts === true && request.onEscalation !== 'pause';

/** Words of the user that the agent has not seen are brought again. Without any, the run continues without an answer. */
async function takeUpQuestion({ record }: OpenedRun): Promise<void> {
  const { escalation } = record.facts;
  if (escalation === undefined || escalation.answer !== undefined) return;
  const { id: escalationId, unseen } = escalation;
  await record.append(
    unseen === undefined
      ? { type: 'escalation.settled', escalationId, how: 'continued without an answer' }
      : { type: 'escalation.answered', escalationId, answer: unseen.answer },
  );
}

const isAsking = ({ record }: OpenedRun): boolean =>
  record.facts.escalation !== undefined && record.facts.escalation.answer === undefined;

/** Claimed by the caller. */
const taskAtHand = (request: RunRequest): HeldTask | undefined =>
  request.runId === undefined ? request.plan.task : request.claimed;

interface Begun {
  readonly status: 'begun';
  readonly folder: RunFolder;
  readonly task: HeldTask | undefined;
  readonly terminal: SupervisedTerminal | undefined;
  readonly watch: RunWatch;
  readonly ears: RunCallbacks;
}

async function begin(
  request: RunRequest,
  opened: OpenedRun,
): Promise<Begun | Exclude<StartRunOutcome, { status: 'started' }>> {
  const { store, clock, by } = request;
  const { id, record } = opened;
  const folder = await prepareFolder(request, opened);
  if (request.signal?.aborted) return callOff(request, opened); // also where that is why it could not be made
  if ('status' in folder) return folder;
  const refused = await openInFolder(request, record, folder.path);
  if (refused !== undefined) return refused;
  const task = await holdTask(request, opened);
  if (task !== undefined && 'status' in task) return task;
  if (!keepsQuestion(request)) await takeUpQuestion(opened);

  const timing = { ...DEFAULT_RUN_TIMING, ...request.timing };
  const watch = createRunWatch({
    counted: record.facts.counted,
    countedUsd: record.facts.countedUsd,
    keepsRecords: (request.sources ?? TRANSCRIPT_SOURCES).some(({ agent }) => agent === transcriptsOf(request.driver)),
    longestLookMs: 5 * timing.lookMs,
    costOf: request.costOf,
    now: clock.now(),
  });
  const ears: RunCallbacks = { onNotice() {}, onChange() {} };
  const name = terminalFor(request, opened);
  const supervise = async () =>
    superviseTerminal(await terminalRequest(request, opened, { folder, task, watch, ears, name }));
  const wait = { leases: store.leases, name: terminalStream(name), pollMs: POLL_MS, signal: request.signal };
  const supervised: SuperviseOutcome = await untilFree(() => withNextHost(supervise), wait);
  if (supervised.status === 'held') return supervised;
  if (supervised.status === 'foreign' || supervised.status === 'not-started') {
    const reason =
      supervised.status === 'foreign'
        ? `something that devs did not start runs under the name ${id} (process ${supervised.pid})`
        : `the agent could not be started: ${supervised.error}`;
    return { status: 'refused', runId: id, reason, advice: 'See that it can be.', isGeneral: true };
  }
  const terminal = supervised.status === 'supervised' ? supervised.terminal : undefined;
  const { clone } = request;
  try {
    const machine = request.travel?.machine;
    const where = { ...(clone === undefined ? {} : { clone }), ...(machine === undefined ? {} : { machine }) };
    await record.append({ type: 'run.begun', by, terminal: name, ...where });
  } catch (error) {
    await terminal?.giveUp();
    throw error;
  }
  return { status: 'begun', folder, task, terminal, watch, ears };
}

/** The conversation of an agent on another machine cannot be continued here: the next one has a terminal of its own. */
const terminalFor = ({ travel, clone }: RunRequest, { id, record, lease }: OpenedRun): string => {
  const { begun } = record.facts;
  if (travel === undefined || begun === undefined) return id;
  return begun.clone === clone ? begun.terminal : `${id}-${lease.fence}`;
};

/** What the agent on the machine before left, as far as its work was pushed. */
async function handoffFor({ store, clone, travel }: RunRequest, { facts }: RunRecord): Promise<string | undefined> {
  if (travel === undefined || facts.begun === undefined || facts.begun.clone === clone) return undefined;
  const handoff = facts.pushed === undefined ? undefined : await store.handoffs.load(facts.id);
  return handoff?.upTo === facts.pushed?.upTo ? handoff?.text : undefined;
}

type CalledOff = Extract<StartRunOutcome, { status: 'cancelled' }>;

const CALLED_OFF = 'the user stopped it';

/** Nothing runs yet. Created files stay for a later attempt. */
async function callOff({ store }: RunRequest, { id, record }: OpenedRun): Promise<CalledOff> {
  await record.append({ type: 'run.paused', why: CALLED_OFF });
  const { task } = record.facts;
  if (task !== undefined) await store.tasks.release(task); // refused if it belongs to another by now
  return { status: 'cancelled', runId: id, why: CALLED_OFF };
}

const MAX_HOSTS = 3;

/** Once more where the host of the terminals died in between: the next one has nothing of it. */
async function withNextHost<T>(work: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isHost = error instanceof TerminalHostRefusedError || error instanceof TerminalHostUnavailableError;
    if (!isHost || tries >= MAX_HOSTS) throw error;
    return withNextHost(work, tries + 1);
  }
}

/** The terminal of a run: what the run is made of, and what is this one's own. */
async function terminalRequest(
  request: RunRequest,
  { id, record, workflow }: OpenedRun,
  { folder, task, watch, ears, name }: Pick<Begun, 'folder' | 'task' | 'watch' | 'ears'> & { readonly name: string },
): Promise<SuperviseRequest> {
  const { store, settings, userArgs = [] } = request;
  const isOpen = () => (record.workflow ?? workflow).state.status === 'running';
  const terms = termsOf(settings);
  const handoff = await handoffFor(request, record);
  const firstPrompt = await openingFor(store, record.facts, record.workflow ?? workflow, handoff);
  const { answer } = record.facts.escalation ?? {};
  const toolsReport = toolsReportOf(request, id);
  return {
    ...request,
    ...terms,
    timing: { ...terms.timing, ...request.timing },
    name,
    place: { ...request.place, folder: folder.path },
    // Where the workflow is at its end, what runs is taken up to be ended, and nothing is started.
    launch: isOpen() ? { userArgs, systemPrompt: RUN_INSTRUCTIONS, firstPrompt } : undefined,
    resumesStopped: answer === undefined ? {} : { prompt: answerPrompt(answer, await knownFor(store, record.facts)) },
    extras: {
      ...request.extras,
      mcpServers: { ...request.extras?.mcpServers, devs: request.mcpServer(folder.path, toolsReport) },
      toolsReport,
    },
    privateFolder: join(request.privateFolder, name),
    endsAgentWhenGivenUp: true,
    hasWorkLeft: isOpen,
    async leftWork() {
      await record.read().catch(() => {}); // what is known is enough
      return readLeftByStep({ folder: folder.path, facts: record.facts, env: request.place.env });
    },
    async isConversationOver() {
      await record.read(); // the agent's tools write there, and the end of its turn may be seen before that
      return !isOpen() || (record.workflow ?? workflow).contextAction !== undefined;
    },
    ...(task === undefined ? {} : { task }),
    handoffStream: request.worktreeStream(folder.path),
    onNotice: (notice) => ears.onNotice(notice),
    onAgentEvent: watch.hear,
    onChange: () => ears.onChange(),
  };
}
