import { type Dispatcher, messageOf, openStore, runIdOf, type StoredEvent } from '@devs/core';
import type {
  Caller,
  OpenedOrder,
  OpenedTerminal,
  QueueOrder,
  RunOrder,
  TerminalOrder,
  Workshop,
} from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { LocalRuns } from '../run/create-runs.js';
import { describeEnd } from '../run/describe-end.js';
import { mergeRun, removeMergedWorktree } from '../run/merge-run.js';
import { requestOf } from '../run/request-of.js';
import { CALLS } from '../run/run-one.js';
import { visible } from '../screen/visible.js';
import type { Records } from '../store-access/create-records.js';
import { machineName } from '../store-access/lease-holders.js';
import type { RegisteredTerminal } from '../terminal/names/terminal-registry.js';
import { createNoticeBoard } from '../terminal/notices/notice-board.js';
import { driverOfTerminal } from '../terminal/recorded-terminal.js';
import { supervisionRequest } from '../terminal/session/supervision-request.js';
import type { TerminalSurroundings } from '../terminal/terminal-world.js';

/** What belongs to one caller: made of its environment and folder. */
interface CallersOwn {
  readonly records: Records;
  readonly runs: LocalRuns;
  readonly terminals: () => Promise<TerminalSurroundings>;
}

interface WorkshopDeps {
  readonly ownOf: (caller: Caller) => CallersOwn;
  readonly store: Pick<Parameters<typeof openStore>[0], 'clock' | 'newId' | 'isGone'>;
  readonly warn: (text: string) => void;
  /** Who hands out the tasks of a worker; by way of a Redis, where an address is given. */
  readonly openDispatcher: (address: string | undefined, lostAfterMs: number) => Promise<Dispatcher>;
  readonly version: string;
}

/** Makes what runs are made of, as the caller's own command would. */
export function createWorkshop(deps: WorkshopDeps): Workshop {
  const { ownOf, store: storeDeps, warn } = deps;
  return {
    openHost: (caller) => ownOf(caller).runs.openHost(),
    openTerminal: async (order, caller) => openTerminal(order, await ownOf(caller).terminals()),
    async open(order, caller) {
      const { records, runs } = ownOf(caller);
      const backend = await records.open(order.store, 'create');
      if (backend === undefined) throw new CliError('the store could not be made. Name another one with --store.');
      const store = openStore({ ...storeDeps, backend });
      const begunAt = storeDeps.clock.now();
      try {
        const { parts, enlist } = await runs.prepare(order, {
          store,
          onEvent(event) {
            // The first events of an existing run are its past.
            if (CALLS.has(event.type) && event.at >= begunAt) callUser(event, order, runs);
          },
        });
        const joinFleet = async () => ({
          dispatcher: await deps.openDispatcher(
            order.store.kind === 'redis' ? await records.addressOf(order.store.url) : undefined,
            order.settings.fleet.lostAfter * 1_000,
          ),
          facts: {
            name: machineName(caller.environment),
            slots: order.settings.parallel,
            labels: order.settings.fleet.labels,
            agents: [order.agent],
            version: deps.version,
            lostAfterMs: order.settings.fleet.lostAfter * 1_000,
          },
        });
        return { parts, ...actsOf(order, runs, { store, warn }), began: enlist, joinFleet };
      } catch (error) {
        await store.close();
        throw error;
      }
    },
  };
}

function callUser({ stream, data }: StoredEvent, { settings }: RunOrder | QueueOrder, runs: LocalRuns): void {
  const run = runIdOf(stream) ?? stream;
  const asked = String(data.question ?? `your answer did not reach the agent: ${data.why}`);
  runs.tell(settings, { kind: 'escalated', run, text: `devs: ${run} needs you: ${asked}` });
}

type Opened = Parameters<typeof mergeRun>[1]['store'];

function actsOf(
  { settings }: RunOrder | QueueOrder,
  runs: LocalRuns,
  { store, warn }: { readonly store: Opened; readonly warn: (text: string) => void },
): Omit<OpenedOrder, 'parts' | 'began' | 'joinFleet'> {
  return {
    planFor: ({ plan, workflow }, task) => ({ plan: { ...plan, request: requestOf(task) }, ...workflow }),
    tellEnd(run, end) {
      if (end.status === 'paused' && end.escalation !== undefined) return; // a question was told already
      const [text = ''] = describeEnd(run, end);
      runs.tell(settings, { kind: 'run-ended', run, text: `devs: ${text}` });
    },
    merge: (run) =>
      mergeRun(run, { store, runs }).catch((error: unknown) => ({
        isMerged: false,
        text: `not merged: ${visible(messageOf(error))}`,
      })),
    tidy: (run) => removeMergedWorktree(run, { runs, warn }).catch(() => {}),
    close: () => store.close(),
  };
}

/** What supervising one terminal needs, as its caller's own command would make it. */
async function openTerminal(order: TerminalOrder, own: TerminalSurroundings): Promise<OpenedTerminal> {
  const { name, folder, store: location, subject } = order;
  const driver = await driverOfTerminal(own, order);
  if (driver === undefined) throw new CliError(`devs does not know how to start "${order.agent}".`);
  const isNew = subject.kind !== 'take-up';
  const backend = await own.records.open(location, isNew ? 'create' : 'existing');
  if (backend === undefined)
    throw new CliError(isNew ? 'the store could not be made. Name another one with --store.' : 'its records are gone');
  const { clock, newId, isGone } = own;
  const store = openStore({ backend, clock, newId, isGone });
  try {
    const entry = { name, agent: order.agent, folder, store: await keptStore(order, own), openedAt: clock.now() };
    if (isNew) own.registry.put(entry);
    const request = await supervisionRequest(own, entry, { driver, store });
    const board = createNoticeBoard(own, (await own.choicesIn(folder)).settings, { name, folder }, () => undefined);
    return { request, tell: board.take, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const keptStore = async (
  { store }: TerminalOrder,
  { records }: TerminalSurroundings,
): Promise<RegisteredTerminal['store']> =>
  store.kind === 'redis'
    ? { kind: 'redis' }
    : { kind: 'sqlite', file: store.kind === 'project' ? (await records.here()).file : store.file };
