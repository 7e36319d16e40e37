import { randomUUID } from 'node:crypto';
import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Clock, LlmClient } from '@devs/core';
import type { HookCommand } from '@devs/drivers/agents';
import type { SandboxFinding } from '@devs/worktree';
import type { RunBuiltinAgent } from './agent/agent-options.js';
import type { RunAcpAgent } from './agent/run-acp-agent.js';
import { CliError } from './cli-error.js';
import type { SettingsFiles } from './config/settings-files.js';
import { type Answer, confirm } from './files/confirm.js';
import { readLines } from './files/read-lines.js';
import { readText } from './files/read-text.js';
import { writeLines } from './files/write-lines.js';
import type { Conversations } from './handoff/conversations.js';
import type { HookManner } from './hook/hook-manner.js';
import type { ProjectFolder } from './init/project-look.js';
import { createInterruption, type UntilInterrupted, type UntilInterruptedTwice } from './interruption.js';
import { isAlive } from './is-alive.js';
import { later } from './later.js';
import type { ServeWorkflow } from './mcp/serve-workflow.js';
import type { ServeModel } from './model-server/serve-model.js';
import type { OutputMode } from './output-mode.js';
import { packageFolder } from './package-folder.js';
import type { Report } from './protocol-show/show-event.js';
import { readVersion } from './read-version.js';
import type { Recall } from './recall/recall.js';
import { createDriverOf } from './run/agent-drivers.js';
import type { LocalRunsDeps } from './run/create-local-runs.js';
import { createLiveScreen, type LiveScreen } from './run/live-screen.js';
import { runElsewhere } from './run/run-elsewhere.js';
import type { Runs } from './run/runs.js';
import { describeScreen, type Screen } from './screen/screen.js';
import { createRecords } from './store-access/create-records.js';
import { createIsGone, holderName } from './store-access/is-gone.js';
import type { Records } from './store-access/records.js';
import { describeContinued } from './supervise/describe-continued.js';
import type { ServicePlace } from './supervise/install-service.js';
import { createPageLink, type PageLink } from './supervise/page-link.js';
import { supervisorPlaces } from './supervise/places.js';
import { createSupervisorLink, type SupervisorLink } from './supervise/supervisor-link.js';
import type { SurroundingsDeps } from './terminal/open-surroundings.js';
import type { Terminals } from './terminal/terminals.js';
import { type Agreements, agreementsFolder, openAgreements } from './trust/agreements.js';
import { createStoreGate, type StoreGate } from './trust/store-gate.js';
import type { WorkflowFiles } from './workflow/workflow-files.js';

/** What commands may use of the world. */
export interface Services {
  readonly version: string;
  readonly screen: Screen;
  /** Whether stdout is a terminal, which interprets control sequences, and not a pipe or a file. */
  readonly isTerminal: boolean;
  /** A line, or several, on stdout. */
  readonly print: (text: string) => void;
  /** A line, or several, for people, on stderr. */
  readonly complain: (text: string) => void;
  /** The text of a file, or of stdin where there is no path. */
  readonly readText: (path: string | undefined) => Promise<string>;
  readonly readLines: (path: string) => AsyncIterable<string>;
  /** To a file that must not exist yet, or to stdout where there is no path; gives what the generator returned. */
  readonly writeLines: <Result>(path: string | undefined, lines: AsyncGenerator<string, Result>) => Promise<Result>;
  readonly confirm: (question: string) => Promise<Answer>;
  readonly untilInterrupted: UntilInterrupted;
  readonly untilInterruptedTwice: UntilInterruptedTwice;
  /** Where stdout is a terminal that can be drawn on. */
  readonly live: LiveScreen | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Whether a holder of leases has ended, as far as this machine knows. */
  readonly isGone: (by: string) => boolean;
  /** Default: the machine's own. */
  readonly timeZone?: string;
  readonly userName: string;
  /** What `DEVS_STORE` says. */
  readonly storeSetting: string | undefined;
  readonly records: Records;
  /** Files that the user created or agreed to. */
  readonly agreements: Agreements;
  readonly storeGate: Pick<StoreGate, 'join'>;
  readonly settingsFiles: SettingsFiles;
  readonly project: ProjectFolder;
  /** The folder of the workflows that come with devs. */
  readonly shippedWorkflows: string;
  readonly workflowFiles: WorkflowFiles;
  readonly serveWorkflow: ServeWorkflow;
  readonly conversations: Conversations;
  readonly recall: Recall;
  /** Takes the payload of an agent's hook from stdin, and never rejects. */
  readonly answerHook: (agent: string, manner: HookManner) => Promise<void>;
  /** The command with which an agent reaches `answerHook`. */
  readonly hookCommand: (agent: string) => HookCommand;
  readonly serveModel: ServeModel;
  readonly runBuiltinAgent: RunBuiltinAgent;
  readonly runAcpAgent: RunAcpAgent;
  /** Finds the sandbox of this system. Never rejects. */
  readonly findSandbox: () => Promise<SandboxFinding>;
  readonly terminals: Terminals;
  readonly runs: Runs;
  /** The process that supervises for this user. */
  readonly supervisor: SupervisorLink;
  /** What it shows in a browser. */
  readonly page: PageLink;
  /** Supervises in this process, until it is asked to end. */
  readonly superviseHere: (onBegin: () => void) => Promise<'ended' | 'already-there'>;
  /** Runs devs itself in another folder, in front of the same user. Gives its exit code. */
  readonly runIn: (folder: string, args: readonly string[]) => Promise<number>;
  /** Where a service of the user is written. */
  readonly servicePlace: ServicePlace;
  readonly createReporter: (output: OutputMode) => Promise<Report>;
  readonly scriptedModel: LlmClient;
}

/** The only place where concrete adapters are created. */
export function compose(
  process: NodeJS.Process,
): Services & Pick<ReturnType<typeof createInterruption>, 'interrupt' | 'isAtWork'> {
  const { stdin, stdout, stderr, env, platform } = process;
  const print = (text: string) => void stdout.write(`${text}\n`);
  const complain = (text: string) => void stderr.write(`${text}\n`);
  const screen = describeScreen(stdout, env);
  const version = readVersion();
  const clock = { now: Date.now };
  const own = packageFolder();
  const shippedWorkflows = shippedFolder();
  const { agreements, storeGate, recordsIn, records, settingsFiles, workflowFiles } = composeProject({
    env,
    platform,
    complain,
    folder: process.cwd(),
  });
  const program = join(own, 'bin', 'devs.mjs');
  const driverOf = composeDrivers(version, ownCommand());
  const recall: Recall = async (wanted) => {
    const { createRecall } = await import('./recall/recall.js');
    return createRecall({
      loadAgents: () => import('@devs/drivers'),
      loadStores: () => import('@devs/store'),
      home: homedir(),
      env,
      platform,
      now: Date.now,
      ...(stderr.isTTY === true ? { progress: complain } : {}),
    })(wanted);
  };
  const by = ownHolderName();
  const isGone = createIsGone({ hostName: hostname(), isAlive });
  const interruption = createInterruption();
  const caller = { folder: process.cwd(), environment: definedIn(env) };
  const places = async () => {
    const { projectIndexFile } = await import('@devs/store');
    const index = projectIndexFile({ env, platform, home: homedir() });
    if (index === undefined) throw new CliError('there is no home folder for the supervisor. Set HOME.');
    return supervisorPlaces(index);
  };
  const loadTerminals = () => import('@devs/terminals');
  const supervisor = createSupervisorLink({
    request: async () => ({ places: await places(), version, caller, devsCommand: ownCommand(), env, loadTerminals }),
    onContinued: (held) => complain(describeContinued(held)),
  });
  return {
    version,
    screen,
    isTerminal: stdout.isTTY === true,
    print,
    complain,
    readText: (path) => readText(path, { stdin, complain }),
    readLines,
    writeLines: (path, lines) => writeLines(path, lines, stdout),
    confirm: (question) => confirm(question, { stdin, stderr }),
    ...interruption,
    live: createLiveScreen(stdout, env, screen),
    clock,
    newId: randomUUID,
    isGone,
    userName: userNameOf(env),
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
    shippedWorkflows,
    workflowFiles,
    serveWorkflow: async (request, signal) => {
      const { createServeWorkflow } = await import('./mcp/serve-workflow.js');
      return createServeWorkflow({
        loadMcp: () => import('@devs/mcp'),
        loadStores: () => import('@devs/store'),
        recordsIn,
        recall,
        shippedWorkflows,
        agreements,
        version,
        hostName: hostname(),
        clock,
        newId: randomUUID,
        stdin,
        stdout,
      })(request, signal);
    },
    recall,
    conversations: later(async () => {
      const { createConversations } = await import('./handoff/create-conversations.js');
      return createConversations({
        loadAgents: () => import('@devs/drivers'),
        loadWorktree: () => import('@devs/worktree'),
        loadStores: () => import('@devs/store'),
        agreements,
        folder: process.cwd(),
        home: homedir(),
        env,
        platform,
        now: Date.now,
        ...(stderr.isTTY === true ? { progress: complain } : {}),
      });
    }),
    answerHook: async (agent, manner) => (await import('./hook/main.js')).hook(agent, process, manner),
    hookCommand: (agent) => ({
      file: process.execPath,
      args: [program, 'hook', agent],
    }),
    serveModel: async (request, watch) => {
      const { createServeModel } = await import('./model-server/serve-model.js');
      return createServeModel({ loadModel: () => import('@devs/model'), clock, newId: randomUUID, stdin })(
        request,
        watch,
      );
    },
    runBuiltinAgent: async (options) => {
      const { createRunBuiltinAgent } = await import('./agent/run-builtin-agent.js');
      return createRunBuiltinAgent({
        loadAgent: () => import('@devs/builtin-agent'),
        loadWorktree: () => import('@devs/worktree'),
        models: {
          scripted: () => import('@devs/model'),
          anthropic: () => import('@devs/model/anthropic'),
          openai: () => import('@devs/model/openai'),
        },
        process,
        home: homedir(),
        version,
        clock,
        newId: randomUUID,
      })(options);
    },
    runAcpAgent: async (options) => {
      const { createRunAcpAgent } = await import('./agent/run-acp-agent.js');
      return createRunAcpAgent({
        loadAcp: () => import('@devs/builtin-agent/acp'),
        loadAgent: () => import('@devs/builtin-agent'),
        process,
        home: homedir(),
        version,
        clock,
        newId: randomUUID,
      })(options);
    },
    findSandbox: async () => (await import('@devs/worktree')).findSandbox(env, platform),
    terminals: later(async () => {
      const { createTerminals } = await import('./terminal/create-terminals.js');
      const { createLocalTerminal } = await import('./terminal/relay/local-terminal.js');
      return createTerminals({
        ...composeSurroundings({ env, platform, complain, folder: process.cwd(), driverOf, by }),
        local: createLocalTerminal(process),
        supervisor,
        caller,
      });
    }),
    runs: later(async () => {
      const { createRuns } = await import('./run/create-runs.js');
      return createRuns({
        local: (await loadLocalRuns())({ driverOf, here: records.here, env, by }),
        supervisor,
        caller,
        newId: randomUUID,
      });
    }),
    supervisor,
    page: createPageLink({
      supervisor,
      places,
      env,
      platform,
      isTerminal: stdout.isTTY === true,
    }),
    superviseHere: async (onBegin) =>
      (await import('./supervise/run-supervisor.js')).runSupervisor(process, { keeps: true, idleMs: 0, onBegin }),
    // A signal of the window reaches both, and the other one decides.
    runIn: (folder, args) => interruption.untilInterruptedTwice(() => runElsewhere(folder, [...ownCommand(), ...args])),
    servicePlace: { platform, home: homedir(), env, devsCommand: ownCommand() },
    async createReporter(output) {
      if (output === 'json')
        return (await import('./protocol-show/json-lines-reporter.js')).createJsonLinesReporter(print);
      return (await import('./protocol-show/account-reporter.js')).createAccountReporter(print, screen);
    },
    scriptedModel: later(async () => {
      const { createSceneModel } = await import('./protocol-show/scene-model.js');
      return createSceneModel((await import('./protocol-show/scenes.js')).SCENES);
    }),
  };
}

interface UsersWorld {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly complain: (text: string) => void;
}

/** The records of a user, by an environment. */
export function composeRecords({ env, platform, complain }: UsersWorld) {
  const agreements = openAgreements(async () => {
    const folder = agreementsFolder({ env, platform, home: homedir() });
    if (folder === undefined) throw new CliError('there is no home folder to keep what you agreed to in. Set HOME.');
    return folder;
  });
  const storeGate = createStoreGate({
    agreements,
    isTracked: async (path) => (await import('@devs/worktree')).isTracked(path, env),
    async wasUsedBefore(root) {
      const { listProjects, projectIndexFile } = await import('@devs/store');
      const { projects } = listProjects({ file: projectIndexFile({ env, platform, home: homedir() }) });
      return projects.some((project) => project.root === root);
    },
  });
  const recordsIn = (folder: string) =>
    createRecords({
      loadStores: () => import('@devs/store'),
      loadWorktree: () => import('@devs/worktree'),
      folder,
      env,
      platform,
      hostName: hostname(),
      now: Date.now,
      complain,
      gate: storeGate,
    });
  return { agreements, storeGate, recordsIn };
}

interface UsersFolder extends UsersWorld {
  readonly folder: string;
}

/** The folder of the workflows that come with devs. */
const shippedFolder = (): string => join(packageFolder(), '..', '..', 'workflows');

/** The services that read a project's files, for the current folder. */
export function composeProject({ folder, ...user }: UsersFolder) {
  const { agreements, storeGate, recordsIn } = composeRecords(user);
  const records = recordsIn(folder);
  return {
    agreements,
    storeGate,
    recordsIn,
    records,
    settingsFiles: composeSettingsFiles({ here: records.here, folder, env: user.env, home: homedir(), agreements }),
    workflowFiles: later(async () => {
      const { createWorkflowFiles } = await import('./workflow/create-workflow-files.js');
      return createWorkflowFiles({
        loadTemplates: () => import('@devs/mcp/templates'),
        loadStores: () => import('@devs/store'),
        here: records.here,
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
    hostName: hostname(),
    platform,
    records: recordsIn(folder),
    home,
    clock: { now: Date.now },
    newId: randomUUID,
    isGone: createIsGone({ hostName: hostname(), isAlive }),
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
  });

/** The command that starts `devs` itself. */
export const ownCommand = (): readonly string[] => [process.execPath, join(packageFolder(), 'bin', 'devs.mjs')];

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
      hostName: hostname(),
      clock: { now: Date.now },
      newId: randomUUID,
      devsCommand: ownCommand(),
    });
}

/** Who holds leases, for others to see. */
export const ownHolderName = (): string => holderName(userNameOf(process.env), hostname(), process.pid);

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
