import {
  type NamedLease,
  type NewEvent,
  runEventOf,
  runStarted,
  runStream,
  type WorkflowRun,
  watchOfRun,
} from '@devs/core';
import type { RunRequest, StartRunOutcome } from '../run.js';
import { openRunRecord, type RunRecord } from '../run-record.js';
import { untilFree } from '../until-free.js';

export interface OpenedRun {
  readonly status: 'opened';
  readonly id: string;
  readonly record: RunRecord;
  readonly workflow: WorkflowRun;
  readonly lease: NamedLease;
}

type NotOpened = Exclude<StartRunOutcome, { status: 'started' }>;

const POLL_MS = 100;
const ID_CHARS = [4, 6, 8, 12] as const;

/** Takes an existing run, or stores a new one. Creates nothing else. */
export async function openRun(
  request: RunRequest,
  { leaseMs, onEvent }: { readonly leaseMs: number } & Pick<Parameters<typeof openRunRecordFor>[2], 'onEvent'>,
): Promise<OpenedRun | NotOpened> {
  if (request.runId !== undefined) return takeRun(request, request.runId, { leaseMs, onEvent });
  for (const chars of request.name === undefined ? ID_CHARS : [0, ...ID_CHARS]) {
    const isNamed = chars === 0 && request.name !== undefined;
    const id = isNamed ? request.name : `run-${request.newId().replaceAll('-', '').slice(0, chars)}`;
    if ((await request.store.log.version(runStream(id))) > 0) continue; // the id is taken
    const held = await request.store.leases.acquire({ name: leaseName(request, id), by: request.by, leaseMs });
    if (held.status === 'held') continue;
    await request.onOpening?.(id);
    const record = openRunRecordFor(request, id, { onEvent });
    const { template, source, plan } = request;
    const summary = plan.request.split('\n')[0]?.slice(0, 100) ?? '';
    await record.decide(() =>
      record.workflow === undefined
        ? [
            runStarted({ template, source, summary }),
            runEventOf({ type: 'run.prepared', ...plan }),
            ...heldEvents(request, held.lease),
          ]
        : [],
    );
    if (record.workflow !== undefined && record.facts.plan !== undefined)
      return { status: 'opened', id, record, workflow: record.workflow, lease: held.lease };
  }
  return { status: 'refused', reason: 'no free name was found for the run', advice: 'Try again.' };
}

async function takeRun(
  request: RunRequest,
  id: string,
  { leaseMs, onEvent }: { readonly leaseMs: number; onEvent: Parameters<typeof openRunRecord>[2] },
): Promise<OpenedRun | NotOpened> {
  const { store, by, signal } = request;
  if ((await store.log.version(runStream(id))) === 0) return { status: 'unknown-run' };
  const name = leaseName(request, id);
  const wait = { leases: store.leases, name, pollMs: POLL_MS, signal };
  const held = await untilFree(() => store.leases.acquire({ name, by, leaseMs }), wait);
  if (held.status === 'held') return held;
  const release = () => store.leases.release(held.lease).catch(() => false); // it ends by itself
  const holder = await store.leases.get(name === watchOfRun(id) ? runStream(id) : watchOfRun(id));
  if (holder !== undefined) {
    await release(); // the holder supervises in another mode
    return { status: 'held', by: holder.by, until: holder.until };
  }
  const record = openRunRecordFor(request, id, { onEvent });
  await record.read();
  const isOpen = record.facts.plan !== undefined && record.facts.phase.kind !== 'finished';
  if (isOpen) await record.decide(() => heldOnce(request, held.lease, record));
  const { workflow, facts } = record;
  if (workflow !== undefined && facts.plan !== undefined && facts.phase.kind !== 'finished')
    return { status: 'opened', id, record, workflow, lease: held.lease };
  await release();
  if (facts.phase.kind === 'finished')
    return { status: 'finished', outcome: facts.phase.outcome, detail: facts.phase.detail };
  return { status: 'unknown-run' };
}

/** From here on no other machine says what was pushed, and no agent of another machine ends a step. */
const heldEvents = ({ by, clone, travel }: RunRequest, { fence }: NamedLease): readonly NewEvent[] =>
  travel === undefined
    ? []
    : [
        runEventOf({
          type: 'run.held',
          by,
          machine: travel.machine,
          remote: travel.remote,
          fence,
          ...(clone === undefined ? {} : { clone }),
        }),
      ];

const heldOnce = (request: RunRequest, lease: NamedLease, { facts }: RunRecord): readonly NewEvent[] =>
  facts.held?.fence === lease.fence ? [] : heldEvents(request, lease);

const openRunRecordFor = (
  { store }: RunRequest,
  id: string,
  { onEvent }: { onEvent: Parameters<typeof openRunRecord>[2] },
) => openRunRecord(store.log, id, onEvent);

/**
 * The holder of the run's own name performs its context actions. A measuring supervisor leaves them to the agent, and
 * holds another name.
 */
const leaseName = ({ settings }: RunRequest, id: string): string =>
  settings.contextActions.enabled && !settings.observe ? runStream(id) : watchOfRun(id);
