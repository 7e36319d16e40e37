import { randomUUID } from 'node:crypto';
import { homedir, hostname } from 'node:os';
import { openStore } from '@devs/core';
import type { Caller, HostMemory, Supervisor } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import {
  composeDrivers,
  composeProject,
  composeRecords,
  composeSurroundings,
  definedIn,
  loadLocalRuns,
  ownCommand,
  ownHolderName,
} from '../compose.js';
import { isAlive } from '../is-alive.js';
import { readVersion } from '../read-version.js';
import { createRecall } from '../recall/recall.js';
import { createIsGone } from '../store-access/is-gone.js';
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

interface Listeners {
  onChange(): void;
  onEnd(): void;
}

/** `compose.ts` for the supervisor: what it uses belongs to its callers, and is made for each of them. */
export async function composeSupervisor(process: NodeJS.Process, listeners: Listeners): Promise<ComposedSupervisor> {
  const { env, platform } = process;
  const complain = (text: string) => void process.stderr.write(`${text}\n`);
  const [{ projectIndexFile }, { createSupervisor, createHostMemory, createVault, openHostIn }] = await Promise.all([
    import('@devs/store'),
    import('@devs/supervisor'),
  ]);
  const index = projectIndexFile({ env, platform, home: homedir() });
  if (index === undefined) throw new Error('there is no home folder for the supervisor. Set HOME.');
  const places = supervisorPlaces(index);
  const { hostFolder } = terminalPlaces(index);
  const version = readVersion();
  const clock = { now: Date.now };
  const memory = createHostMemory({
    openHost: () => openHostIn({ folder: hostFolder }),
    restart: { command: [...ownCommand(), SUPERVISE], cwd: places.folder, env: supervisorEnvironment(env) },
  });
  const driverOf = composeDrivers(version, ownCommand());
  const by = ownHolderName();
  const localRunsOf = await loadLocalRuns();
  const isGone = createIsGone({ hostName: hostname(), isAlive });
  const storeDeps = { clock, newId: randomUUID, isGone };
  const surroundings = ({ folder, environment }: Caller) =>
    openSurroundings(composeSurroundings({ env: environment, platform, complain, folder, driverOf, by }));
  const callersOwn = (caller: Caller) => {
    const env = caller.environment;
    const project = composeProject({ env, platform, complain, folder: caller.folder });
    const { here } = project.records;
    return {
      ...project,
      runs: localRunsOf({ driverOf, here, env, by }),
      terminals: () => surroundings(caller),
      complain,
      confirm: async () => 'cannot-ask' as const, // this process has no terminal
      readText: () => Promise.reject(new CliError('give the text itself: the supervisor has no input')),
      async openStore() {
        const backend = await project.records.open({ kind: 'project' }, 'existing');
        return backend && openStore({ ...storeDeps, backend });
      },
    };
  };
  const supervisor = createSupervisor({
    version,
    pid: process.pid,
    workshop: createWorkshop({ ownOf: callersOwn, store: storeDeps, complain }),
    vault: createVault(places.entrusted, memory),
    clock,
    newId: randomUUID,
    problems: () => memory.problems,
    ...listeners,
  });
  const { recordsIn } = composeRecords({ env, platform, complain });
  const runsIn = (folder: string) => localRunsOf({ driverOf, here: recordsIn(folder).here, env, by });
  const own = { folder: homedir(), environment: definedIn(env) };
  const filesOf = (folder: string) => composeProject({ env, platform, complain, folder });
  const devsCommand = ownCommand();
  const loadAgents = () => import('@devs/drivers');
  const recall = createRecall({
    loadAgents,
    loadStores: () => import('@devs/store'),
    home: homedir(),
    env,
    platform,
    now: Date.now,
  });
  const api = {
    filesOf,
    devsCommand,
    recall,
    conversation: createConversationReader(loadAgents),
    recordsIn,
    isGone,
    complain,
    own,
    surroundings,
    callersOwn,
    pageFolder: pageFolder(),
    runsIn,
  };
  return { supervisor, memory, places, hostFolder, version, api };
}
