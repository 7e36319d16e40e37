import type { Terminal } from '@devs/api';
import { type ContextUsage, isRenewing, markOf, pressureOf, type Store, type TerminalActivity } from '@devs/core';
import type { HostedTerminal, TerminalHost } from '@devs/terminals';
import type { Seat } from '@devs/terminals/admission';
import { connectRunningHost } from '../connect-running-host.js';
import { describeExit } from '../describe-exit.js';
import type { RegisteredTerminal } from '../names/terminal-registry.js';
import {
  driverOfTerminal,
  openTerminalStore,
  type RecordedTerminal,
  readRecordedTerminal,
} from '../recorded-terminal.js';
import type { TerminalDeps } from '../terminal-world.js';
import { peekAgent } from './peek-agent.js';
import type { TerminalListing, TerminalNeed } from './terminal-listing.js';

/** A crash ignored for this long needs no attention. */
const CRASH_MS = 7 * 24 * 60 * 60_000;

/** All terminals of this user that run or need attention; those that need it come first. Starts nothing. */
export async function listTerminals(world: TerminalDeps): Promise<readonly TerminalListing[]> {
  const host = await connectRunningHost(world).catch(() => undefined);
  try {
    const { seatIn } = await import('@devs/terminals/admission');
    const seat = seatIn(world.places.hostFolder);
    const hosted = host === undefined ? [] : await host.list();
    const statuses = await supervisedStatuses(world, seat);
    // Who sits in a terminal of devs is told of the own one alone, and cannot look at its screen.
    const isShown = ({ name }: RegisteredTerminal) => seat.kind === 'outside' || name === seat.terminalId;
    const viewer = seat.kind === 'outside' ? host : undefined;
    const registered = world.registry.list().filter(isShown);
    const strangers = hosted.filter(({ terminalId }) => !registered.some(({ name }) => name === terminalId));
    const listed = await Promise.all([
      ...registered.map((entry) => {
        const found = hosted.find(({ terminalId }) => terminalId === entry.name);
        return describeRegistered(world, entry, { host: viewer, hosted: found, status: statuses.get(entry.name) });
      }),
      ...strangers.map(async (found) => describeStranger(found)),
    ]);
    return listed.filter((listing) => listing !== undefined).sort((a, b) => urgency(b) - urgency(a) || byName(a, b));
  } finally {
    host?.close();
  }
}

const urgency = ({ needs, activity }: TerminalListing): number => {
  if (needs !== undefined) return needs.kind === 'parked' ? 2 : 3;
  return activity === 'exited' ? 0 : 1;
};

const byName = (a: TerminalListing, b: TerminalListing) => (a.name < b.name ? -1 : 1);

interface Seen {
  readonly host: TerminalHost | undefined;
  readonly hosted: HostedTerminal | undefined;
  readonly status: SupervisedStatus | undefined;
}

async function describeRegistered(
  world: TerminalDeps,
  entry: RegisteredTerminal,
  { host, hosted, status }: Seen,
): Promise<TerminalListing | undefined> {
  const { recorded, renewals, isRenewing } = await readRecords(world, entry);
  const isRunning = hosted !== undefined && hosted.exit === undefined;
  const base = {
    name: entry.name,
    agent: entry.agent,
    folder: entry.folder,
    isRenewing,
    renewals,
    isSupervised: false,
    isAttended: false,
    ...(recorded?.conversationId === undefined ? {} : { conversationId: recorded.conversationId }),
  };
  if (!isRunning) return describeEnded(base, recorded, hosted, world.clock.now());
  const lookedAt = world.clock.now();
  const seen = status ?? (await peek(world, { entry, host, hosted, recorded }));
  const { state, usage } = seen ?? {};
  const needs = needsOf(recorded, state?.activity === 'waiting' ? state.evidence.detail : undefined);
  return {
    ...base,
    activity: state?.activity ?? 'starting',
    // What was first seen by this very look may have been so for long.
    ...(state === undefined || state.since >= lookedAt ? {} : { since: state.since }),
    ...(state === undefined ? {} : { detail: state.evidence.detail }),
    ...(usage === undefined || usage.windowTokens <= 0
      ? {}
      : { usage, pressure: pressureOf(usage), mark: markOf(usage) }),
    isSupervised: status !== undefined,
    isAttended: status?.isAttended === true,
    pid: hosted.pid,
    ...(needs === undefined ? {} : { needs }),
  };
}

type Base = Omit<TerminalListing, 'activity'>;

/** A clean exit is not listed. */
function describeEnded(
  base: Base,
  recorded: RecordedTerminal | undefined,
  hosted: HostedTerminal | undefined,
  now: number,
): TerminalListing | undefined {
  const { exit, isStopped = false } = recorded ?? {};
  const at = hosted?.exit?.at ?? exit?.at;
  // No one saw it end: the machine, or the host, went away.
  const isLost = exit === undefined && recorded?.hasRun === true && hosted === undefined;
  const isCrash = exit?.kind === 'crashed' || exit?.kind === 'lost' || (hosted?.exit && endedBadly(hosted.exit));
  const needs = needsOf(recorded, undefined);
  if (isStopped || (needs === undefined && !isLost && !isCrash)) return undefined;
  if (at !== undefined && now - at > CRASH_MS) return undefined;
  const { exitCode, signal } = hosted?.exit ?? exit ?? {};
  const how =
    isLost || exit?.kind === 'lost' || exitCode === undefined
      ? 'its end was not observed'
      : describeExit({ exitCode, signal });
  return {
    ...base,
    activity: 'exited',
    ...(at === undefined ? {} : { since: at }),
    detail: how,
    needs: needs ?? { kind: 'crashed', detail: `${how}; continue with: devs resume ${base.name}` },
  };
}

const endedBadly = ({ exitCode, signal = 0 }: NonNullable<HostedTerminal['exit']>) => exitCode !== 0 || signal > 0;

function needsOf(recorded: RecordedTerminal | undefined, waitsFor: string | undefined): TerminalNeed | undefined {
  if (recorded?.escalation !== undefined) return { kind: 'escalated', detail: recorded.escalation };
  if (waitsFor !== undefined) return { kind: 'waiting', detail: waitsFor };
  if (recorded?.parkedUntil === undefined) return undefined;
  return { kind: 'parked', detail: recorded.parkedWhy ?? '', until: recorded.parkedUntil };
}

const describeStranger = (hosted: HostedTerminal): TerminalListing => ({
  name: hosted.terminalId,
  agent: hosted.file.split('/').at(-1) ?? hosted.file,
  folder: hosted.cwd,
  activity: hosted.exit === undefined ? 'starting' : 'exited',
  since: hosted.exit?.at ?? hosted.spawnedAt,
  detail: 'devs has no records of it',
  isRenewing: false,
  renewals: 0,
  isSupervised: false,
  isAttended: false,
  ...(hosted.exit === undefined ? { pid: hosted.pid } : {}),
});

async function readRecords(world: TerminalDeps, entry: RegisteredTerminal) {
  const nothing = { recorded: undefined, renewals: 0, isRenewing: false };
  let store: Store | undefined;
  try {
    store = await openTerminalStore(world, entry);
    if (store === undefined) return nothing;
    const { createRenewalRecord } = await world.loadSupervisor();
    const recorded = await readRecordedTerminal(world, store.log, entry.name);
    const renewal = await createRenewalRecord(store.log, entry.name).read();
    return { recorded, renewals: renewal.completed, isRenewing: isRenewing(renewal) };
  } catch {
    return nothing; // its project says itself what is the matter with its store
  } finally {
    await store?.close();
  }
}

interface Peek {
  readonly entry: RegisteredTerminal;
  readonly host: TerminalHost | undefined;
  readonly hosted: HostedTerminal;
  readonly recorded: RecordedTerminal | undefined;
}

async function peek(world: TerminalDeps, { entry, host, hosted, recorded }: Peek) {
  const driver = await driverOfTerminal(world, entry);
  if (driver === undefined || host === undefined) return undefined;
  const { conversationId } = recorded ?? {};
  return peekAgent({
    host,
    hosted,
    driver,
    place: { folder: entry.folder, home: world.home, env: world.env },
    ...(conversationId === undefined ? {} : { conversationId }),
  }).catch(() => undefined); // it may have ended in this moment
}

/** What the supervisor says of a terminal that it holds. */
interface SupervisedStatus {
  readonly state?: {
    readonly activity: TerminalActivity;
    readonly since: number;
    readonly evidence: { readonly detail: string };
  };
  readonly usage?: ContextUsage;
  readonly isAttended: boolean;
}

/** By their names. Starts no supervisor. Inside a terminal of devs only the own one is known. */
async function supervisedStatuses(
  { supervisor }: Pick<TerminalDeps, 'supervisor'>,
  seat: Seat,
): Promise<ReadonlyMap<string, SupervisedStatus>> {
  const statuses = new Map<string, SupervisedStatus>();
  if (seat.kind !== 'outside') {
    const own = seat.terminalId === undefined ? undefined : await supervisor.ownTerminal(seat.terminalId);
    if (own !== undefined) statuses.set(own.name, statusOf(own));
    return statuses;
  }
  for (const held of (await supervisor.heldTerminals()) ?? []) statuses.set(held.name, statusOf(held));
  return statuses;
}

function statusOf({ activity, since, detail = '', usage, isAttended }: Terminal): SupervisedStatus {
  return {
    ...(since === undefined ? {} : { state: { activity, since, evidence: { detail } } }),
    ...(usage === undefined ? {} : { usage }),
    isAttended,
  };
}
