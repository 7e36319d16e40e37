import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { type Dispatcher, openStore } from '@devs/core';
import type { Caller, HostMemory, Supervisor } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import {
  composeDrivers,
  composeProject,
  composeSurroundings,
  definedIn,
  loadLocalRuns,
  ownCommand,
  ownHolderName,
} from '../compose.js';
import { composeRecords } from '../compose-records.js';
import { isAlive } from '../is-alive.js';
import { readVersion } from '../package-folder.js';
import { createRecall } from '../recall/create-recall.js';
import type { Records } from '../store-access/create-records.js';
import { createIsGone, machineName } from '../store-access/lease-holders.js';
import { openSurroundings } from '../terminal/open-surroundings.js';
import { terminalPlaces } from '../terminal/places.js';
import { pageFolder, type SupervisorPlaces, supervisorPlaces } from './places.js';
import { SUPERVISE, supervisorEnvironment } from './reach-supervisor.js';
import { createConversationReader } from './read-conversation.js';
import type { ApiPlace } from './serve-api.js';
import { createWorkshop } from './workshop.js';

export interface ComposedSupervisor {
  readonly supervisor: Supervisor;
  readonly memory: HostMemory;
  readonly places: SupervisorPlaces;
  readonly hostFolder: string;
  readonly version: string;
  /** What the API reads of the user's projects. */
  readonly api: Omit<ApiPlace, 'port' | 'version' | 'socketPath' | 'hostFolder' | 'onClients' | 'onWatched'>;
}

/** Tickets travel on the Redis of a shared store; else they stay in this process. The same trouble is told once in a row. */
const dispatchers =
  (warn: (text: string) => void) =>
  async (url: string | undefined, lostAfterMs: number): Promise<Dispatcher> => {
    const { createLocalDispatcher, openBullDispatcher } = await import('@devs/fleet');
    if (url === undefined) return createLocalDispatcher();
    let told = '';
    const onError = (message: string) => {
      if (message !== told) warn(`devs: trouble with the queue in Redis: ${message}`);
      told = message;
    };
    return openBullDispatcher({ url, lockMs: Math.ceil((2 / 3) * lostAfterMs), onError });
  };

interface Listeners {
  onChange(): void;
  onEnd(): void;
}

/** `compose.ts` for the supervisor: what it uses belongs to its callers, and is made for each of them. */
export async function composeSupervisor(process: NodeJS.Process, listeners: Listeners): Promise<ComposedSupervisor> {
  const { env, platform } = process;
  const [{ projectIndexFile }, { createSupervisor, createHostMemory, createVault, openHostIn }] = await Promise.all([
    import('@devs/store'),
    import('@devs/supervisor'),
  ]);
  const index = projectIndexFile({ env, platform, home: homedir() });
  if (index === undefined) throw new Error('there is no home folder for the supervisor. Set HOME.');
  const places = supervisorPlaces(index);
  const { hostFolder } = terminalPlaces(index);
  const version = readVersion();
  const memory = createHostMemory({
    openHost: () => openHostIn({ folder: hostFolder }),
    restart: { command: [...ownCommand(), SUPERVISE], cwd: places.folder, env: supervisorEnvironment(env) },
  });
  const common = await composeCommon(process, version);
  const { callersOwn, warn, storeDeps } = common;
  const supervisor = createSupervisor({
    version,
    pid: process.pid,
    workshop: createWorkshop({
      ownOf: callersOwn,
      store: storeDeps,
      warn,
      version,
      openDispatcher: dispatchers(warn),
    }),
    vault: createVault(places.entrusted, memory),
    clock: storeDeps.clock,
    newId: randomUUID,
    problems: () => memory.problems,
    ...listeners,
  });
  return { supervisor, memory, places, hostFolder, version, api: composeApi(process, common) };
}

/** What callers get, each in their own environment and folder. */
async function composeCommon({ env, platform, stderr }: NodeJS.Process, version: string) {
  const warn = (text: string) => void stderr.write(`${text}\n`);
  const driverOf = composeDrivers(version, ownCommand());
  const by = ownHolderName();
  const localRunsOf = await loadLocalRuns();
  const isGone = createIsGone({ hostName: machineName(env), isAlive });
  const storeDeps = { clock: { now: Date.now }, newId: randomUUID, isGone };
  const runsFor = (own: NodeJS.ProcessEnv, here: Records['here']) => localRunsOf({ driverOf, here, env: own, by });
  const surroundings = ({ folder, environment }: Caller) =>
    openSurroundings(composeSurroundings({ env: environment, platform, warn, folder, driverOf, by }));
  const callersOwn = (caller: Caller) => {
    const project = composeProject({ env: caller.environment, platform, warn, folder: caller.folder });
    return {
      ...project,
      runs: runsFor(caller.environment, project.records.here),
      terminals: () => surroundings(caller),
      warn,
      confirm: async () => 'cannot-ask' as const, // this process has no terminal
      readText: () => Promise.reject(new CliError('give the text itself: the supervisor has no input')),
      async openStore() {
        const backend = await project.records.open({ kind: 'project' }, 'existing');
        return backend && openStore({ ...storeDeps, backend });
      },
    };
  };
  return { warn, storeDeps, runsFor, surroundings, callersOwn };
}

/** What the API reads, in the supervisor's own environment. */
function composeApi(
  { env, platform }: NodeJS.Process,
  { warn, storeDeps, runsFor, surroundings, callersOwn }: Awaited<ReturnType<typeof composeCommon>>,
): ComposedSupervisor['api'] {
  const { recordsIn } = composeRecords({ env, platform, warn });
  const loadAgents = () => import('@devs/drivers');
  const loadStores = () => import('@devs/store');
  return {
    filesOf: (folder) => composeProject({ env, platform, warn, folder }),
    devsCommand: ownCommand(),
    recall: createRecall({ loadAgents, loadStores, home: homedir(), env, platform, now: Date.now }),
    conversation: createConversationReader(loadAgents),
    recordsIn,
    isGone: storeDeps.isGone,
    warn,
    own: { folder: homedir(), environment: definedIn(env) },
    surroundings,
    callersOwn,
    pageFolder: pageFolder(),
    runsIn: (folder) => runsFor(env, recordsIn(folder).here),
  };
}
