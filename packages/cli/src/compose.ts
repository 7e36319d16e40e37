import { randomUUID } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { AgentServices } from './agent/agent-services.js';
import { NO_SCRIPTED_MODEL } from './agent/configured-model.js';
import type { ArchiveServices } from './archive/archive.js';
import { findCheckout } from './checkout.js';
import { CliError } from './cli-error.js';
import { composeRecords, type UsersWorld } from './compose-records.js';
import type { ConfigServices } from './config/config-services.js';
import type { SettingsFiles } from './config/create-settings-files.js';
import type { DebugServices } from './debug/debug-services.js';
import type { DoctorServices } from './doctor/doctor-services.js';
import { confirm, pick } from './files/confirm.js';
import { readLines, readText } from './files/read-text.js';
import { writeLines } from './files/write-lines.js';
import type { HookServices } from './hook/hook-services.js';
import type { InitServices } from './init/init.js';
import { createInterruption } from './interruption.js';
import { isAlive } from './is-alive.js';
import { later } from './later.js';
import type { McpServices } from './mcp/mcp-services.js';
import type { OverviewServices } from './overview/overview-services.js';
import { packageFolder, readVersion } from './package-folder.js';
import type { PurgeServices } from './purge/purge-services.js';
import type { Recall } from './recall/create-recall.js';
import type { RecallServices } from './recall/recall.js';
import { createDriverOf } from './run/agent-drivers.js';
import type { LocalRunsDeps } from './run/create-local-runs.js';
import { createLiveScreen } from './run/live-screen.js';
import { runElsewhere } from './run/run-elsewhere.js';
import type { RunServices } from './run/run-services.js';
import type { Console } from './screen/console.js';
import { describeScreen } from './screen/screen.js';
import type { Records } from './store-access/create-records.js';
import { createIsGone, holderName, machineName } from './store-access/lease-holders.js';
import { describeContinued } from './supervise/continue-left.js';
import { createPageLink } from './supervise/page-link.js';
import { supervisorPlaces } from './supervise/places.js';
import type { SuperviseServices } from './supervise/supervise-services.js';
import { createSupervisorLink } from './supervise/supervisor-link.js';
import type { TaskServices } from './task/task-services.js';
import type { SurroundingsDeps } from './terminal/open-surroundings.js';
import type { WorkflowServices } from './workflow/workflow-services.js';

/** What all commands together use of the world; each takes what its own slice names. */
export interface Composed
  extends AgentServices,
    ArchiveServices,
    ConfigServices,
    DebugServices,
    DoctorServices,
    HookServices,
    InitServices,
    McpServices,
    OverviewServices,
    PurgeServices,
    RecallServices,
    RunServices,
    SuperviseServices,
    TaskServices,
    WorkflowServices {}

type Interruption = ReturnType<typeof createInterruption>;

/** The only place where concrete adapters are created. */
export function compose(process: NodeJS.Process): Composed & Pick<Interruption, 'interrupt' | 'isAtWork'> {
  const interruption = createInterruption();
  const console = composeConsole(process);
  const base: Base = {
    process,
    version: readVersion(),
    clock: { now: Date.now },
    newId: randomUUID,
    warn: console.warn,
  };
  const { env, platform } = process;
  const own = composeProject({ env, platform, warn: base.warn, folder: process.cwd() });
  const recall = composeRecall(base);
  return {
    version: base.version,
    clock: base.clock,
    newId: base.newId,
    isGone: createIsGone({ hostName: machineName(env), isAlive }),
    holderName: ownHolderName(),
    userName: userNameOf(env),
    ...console,
    ...interruption,
    ...composeProjectFiles(base, own),
    recall,
    ...composeAgents(base, own, recall),
    ...composeSupervised(base, own.records),
    // A signal of the window reaches both, and the other one decides.
    runIn: (folder, args) => interruption.untilInterruptedTwice(() => runElsewhere(folder, [...ownCommand(), ...args])),
    runProgram: (args) =>
      interruption.untilInterruptedTwice(() => runElsewhere(process.cwd(), [process.execPath, ...args])),
  };
}

/** What every adapter is made of. */
interface Base extends Pick<Composed, 'version' | 'clock' | 'newId' | 'warn'> {
  readonly process: NodeJS.Process;
}

type Shown = Omit<Console, keyof Interruption>;

function composeConsole({ stdin, stdout, stderr, env }: NodeJS.Process): Shown {
  const warn = (text: string) => void stderr.write(`${text}\n`);
  const screen = describeScreen(stdout, env);
  return {
    screen,
    isTerminal: stdout.isTTY === true,
    print: (text) => void stdout.write(`${text}\n`),
    warn,
    readText: (path) => readText(path, { stdin, warn }),
    readLines,
    writeLines: (path, lines) => writeLines(path, lines, stdout),
    confirm: (question) => confirm(question, { stdin, stderr }),
    pick: (choices) => pick(choices, { stdin, stderr }),
    live: createLiveScreen(stdout, env, screen),
  };
}

/** Where it is read, for those that read conversations. */
const readerOf = ({ process: { env, platform, stderr }, warn }: Base) => ({
  loadAgents: () => import('@devs/drivers'),
  loadStores: () => import('@devs/store'),
  home: homedir(),
  env,
  platform,
  now: Date.now,
  ...(stderr.isTTY === true ? { progress: warn } : {}),
});

const composeRecall =
  (base: Base): Recall =>
  async (wanted) =>
    (await import('./recall/create-recall.js')).createRecall(readerOf(base))(wanted);

type ProjectServices = Pick<
  Composed,
  | 'storeSetting'
  | 'records'
  | 'agreements'
  | 'storeGate'
  | 'settingsFiles'
  | 'project'
  | 'shippedWorkflows'
  | 'workflowFiles'
  | 'travel'
  | 'conversations'
>;

function composeProjectFiles(base: Base, own: OwnProject): ProjectServices {
  const { process } = base;
  const { env } = process;
  const { agreements, storeGate, records, settingsFiles, workflowFiles } = own;
  return {
    storeSetting: env.DEVS_STORE,
    records,
    agreements,
    storeGate,
    settingsFiles,
    project: later(async () => {
      const { createProjectFolder } = await import('./init/create-project-folder.js');
      return createProjectFolder({
        here: records.here,
        loadStores: () => import('@devs/store'),
        agreements,
        hasCommit: async (folder) => (await (await import('@devs/worktree')).readHead({ folder, env })) !== undefined,
      });
    }),
    shippedWorkflows: shippedFolder(),
    workflowFiles,
    travel: later(async () =>
      (await import('./run/say-base.js')).createTravelService({ loadWorktree: () => import('@devs/worktree'), env }),
    ),
    conversations: later(async () => {
      const { createConversations } = await import('./handoff/create-conversations.js');
      const loadWorktree = () => import('@devs/worktree');
      return createConversations({ ...readerOf(base), loadWorktree, agreements, folder: process.cwd() });
    }),
  };
}

type ServicesOfAgents = AgentServices &
  Pick<Composed, 'serveWorkflow' | 'answerHook' | 'hookCommand' | 'serveModel' | 'checkout' | 'findSandbox'>;

function composeAgents(base: Base, { recordsIn, agreements }: OwnProject, recall: Recall): ServicesOfAgents {
  const { process, version, clock, newId } = base;
  const { stdin, stdout, env, platform } = process;
  const loadAgent = () => import('@devs/builtin-agent');
  const agent = { loadAgent, process, home: homedir(), version, clock, newId };
  const checkout = findCheckout();
  return {
    serveWorkflow: async (request, signal) => {
      const { createServeWorkflow } = await import('./mcp/serve-workflow.js');
      return createServeWorkflow({
        loadMcp: () => import('@devs/mcp'),
        loadStores: () => import('@devs/store'),
        cloneOf: async (folder) => (await import('@devs/worktree')).readCloneId({ folder, env }),
        recordsIn,
        recall,
        shippedWorkflows: shippedFolder(),
        agreements,
        version,
        hostName: machineName(env),
        clock,
        newId,
        stdin,
        stdout,
      })(request, signal);
    },
    answerHook: async (name, manner) => (await import('./hook/main.js')).hook(name, process, manner),
    hookCommand: (name) => ({ file: process.execPath, args: [ownProgram(), 'hook', name] }),
    checkout,
    serveModel: async (request, watch) => {
      if (checkout === undefined) throw new CliError(`${NO_SCRIPTED_MODEL}.`);
      const { createServeModel } = await import('./debug/model-server/serve-model.js');
      return createServeModel({ loadModel: checkout.loadScriptedModel, clock, newId, stdin })(request, watch);
    },
    runBuiltinAgent: async (options) => {
      const { createRunBuiltinAgent } = await import('./agent/run-builtin-agent.js');
      const loadWorktree = () => import('@devs/worktree');
      const models = { ...MODELS, scripted: checkout?.loadScriptedModel };
      return createRunBuiltinAgent({ ...agent, loadWorktree, models })(options);
    },
    runAcpAgent: async (options) => {
      const { createRunAcpAgent } = await import('./agent/run-acp-agent.js');
      return createRunAcpAgent({ ...agent, loadAcp: () => import('@devs/builtin-agent/acp') })(options);
    },
    holdCodex: async (folder) => (await import('./agent/hold-codex-server.js')).holdCodexServer(folder, process),
    runStreamAgent: async (options) => {
      const { createRunStreamAgent } = await import('./agent/run-stream-agent.js');
      return createRunStreamAgent({ ...agent, loadStream: () => import('@devs/builtin-agent/stream-json') })(options);
    },
    findSandbox: async () => (await import('@devs/worktree')).findSandbox(env, platform),
  };
}

const MODELS = {
  anthropic: () => import('@devs/model/anthropic'),
  openai: () => import('@devs/model/openai'),
};

type SupervisedServices = Pick<
  Composed,
  'terminals' | 'runs' | 'supervisor' | 'page' | 'superviseHere' | 'servicePlace'
>;

function composeSupervised(base: Base, records: Records): SupervisedServices {
  const { process, version, warn, newId } = base;
  const { env, platform } = process;
  const caller = { folder: process.cwd(), environment: definedIn(env) };
  const driverOf = composeDrivers(version, ownCommand());
  const by = ownHolderName();
  const places = async () => {
    const { projectIndexFile } = await import('@devs/store');
    const index = projectIndexFile({ env, platform, home: homedir() });
    if (index === undefined) throw new CliError('there is no home folder for the supervisor. Set HOME.');
    return supervisorPlaces(index);
  };
  const loadTerminals = () => import('@devs/terminals');
  const supervisor = createSupervisorLink({
    request: async () => ({ places: await places(), version, caller, devsCommand: ownCommand(), env, loadTerminals }),
    onContinued: (held, replaced) => warn(describeContinued(held, replaced)),
  });
  return {
    terminals: later(async () => {
      const { createTerminals } = await import('./terminal/create-terminals.js');
      const { createLocalTerminal } = await import('./terminal/relay/local-terminal.js');
      return createTerminals({
        ...composeSurroundings({ env, platform, warn, folder: process.cwd(), driverOf, by }),
        local: createLocalTerminal(process),
        supervisor,
        caller,
      });
    }),
    runs: later(async () => {
      const { createRuns } = await import('./run/create-runs.js');
      const local = (await loadLocalRuns())({ driverOf, here: records.here, env, by });
      return createRuns({ local, supervisor, caller, newId });
    }),
    supervisor,
    page: createPageLink({ supervisor, places, env, platform, isTerminal: process.stdout.isTTY === true }),
    superviseHere: async (onBegin) =>
      (await import('./supervise/run-supervisor.js')).runSupervisor(process, { keeps: true, idleMs: 0, onBegin }),
    servicePlace: { platform, home: homedir(), env, devsCommand: ownCommand() },
  };
}

interface UsersFolder extends UsersWorld {
  readonly folder: string;
}

/** The folder of the workflows that come with devs. */
const shippedFolder = (): string => join(packageFolder(), '..', '..', 'workflows');

type OwnProject = ReturnType<typeof composeProject>;

/** The services that read a project's files, for the current folder. */
export function composeProject({ folder, ...user }: UsersFolder) {
  const { agreements, storeGate, recordsIn } = composeRecords(user);
  const records = recordsIn(folder);
  const { here } = records;
  const settingsFiles = composeSettingsFiles({ here, folder, env: user.env, home: homedir(), agreements });
  const loadStores = () => import('@devs/store');
  return {
    agreements,
    storeGate,
    recordsIn,
    records,
    settingsFiles,
    settingChanger: later(async () => {
      const { createSettingChanger } = await import('./config/change-project-setting.js');
      return createSettingChanger({ here, settingsFiles, agreements, loadStores });
    }),
    workflowFiles: later(async () => {
      const { createWorkflowFiles } = await import('./workflow/create-workflow-files.js');
      return createWorkflowFiles({
        loadTemplates: () => import('@devs/mcp/templates'),
        loadStores,
        here,
        folder,
        shippedWorkflows: shippedFolder(),
        agreements,
      });
    }),
  };
}

const composeSettingsFiles = (
  deps: Parameters<typeof import('./config/create-settings-files.js').createSettingsFiles>[0],
): SettingsFiles => later(async () => (await import('./config/create-settings-files.js')).createSettingsFiles(deps));

interface CallersTerminals extends UsersFolder {
  readonly driverOf: SurroundingsDeps['driverOf'];
  /** Who supervises, for others to see. */
  readonly by: string;
}

/** What terminals are made of, by the environment and folder of a caller. */
export function composeSurroundings(own: CallersTerminals): SurroundingsDeps {
  const { env, platform, folder } = own;
  const { agreements, recordsIn } = composeRecords(own);
  const home = homedir();
  return {
    ...own,
    loadTerminals: () => import('@devs/terminals'),
    loadSupervisor: () => import('@devs/supervisor'),
    loadStores: () => import('@devs/store'),
    loadWorktreeStream: () => import('@devs/mcp/worktree-stream'),
    projectOf: (at) => recordsIn(at).here(),
    settingsFilesIn: (at) => composeSettingsFiles({ here: recordsIn(at).here, folder: at, env, home, agreements }),
    devsCommand: ownCommand(),
    hostName: machineName(process.env),
    platform,
    records: recordsIn(folder),
    home,
    clock: { now: Date.now },
    newId: randomUUID,
    isGone: createIsGone({ hostName: machineName(process.env), isAlive }),
  };
}

/** The drivers of the agents that devs can start. */
export const composeDrivers = (version: string, devsCommand: readonly string[]) =>
  createDriverOf({
    loadAgents: () => import('@devs/drivers'),
    clock: { now: Date.now },
    version,
    builtinCommand: [...devsCommand, 'agent'],
    acpCommand: [...devsCommand, 'acp'],
    devsCommand: (name) => [...devsCommand, name],
    streamCommand: [...devsCommand, 'stream-json'],
  });

/** The command that starts `devs` itself. */
export const ownCommand = (): readonly string[] => [process.execPath, ownProgram()];

const ownProgram = (): string => join(packageFolder(), 'bin', 'devs.mjs');

/** Makes the runs of a user, by an environment and a folder, without a supervisor. */
export async function loadLocalRuns() {
  const { createLocalRuns } = await import('./run/create-local-runs.js');
  return (own: Pick<LocalRunsDeps, 'driverOf' | 'here' | 'env' | 'by'>) =>
    createLocalRuns({
      ...own,
      loadSupervisor: () => import('@devs/supervisor'),
      loadMcp: () => import('@devs/mcp'),
      loadWorktree: () => import('@devs/worktree'),
      loadStores: () => import('@devs/store'),
      platform: process.platform,
      home: own.env.HOME ?? homedir(),
      hostName: machineName(process.env),
      clock: { now: Date.now },
      newId: randomUUID,
      devsCommand: ownCommand(),
      hasScriptedModel: findCheckout() !== undefined,
    });
}

/** Who holds leases, for others to see. */
export const ownHolderName = (): string => holderName(userNameOf(process.env), machineName(process.env), process.pid);

/** In a container the user may have no name. */
function userNameOf(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? 'user';
  }
}

export const definedIn = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
