import { Command } from 'commander';
import { applyManners, descendants, refuseUnknownCommands } from './command-manners.js';
import { builtinAgentCommand } from './commands/agent.js';
import { answerCommand } from './commands/answer.js';
import { completionCommand } from './commands/completion.js';
import { configCommand } from './commands/config.js';
import { debugDetectCommand } from './commands/debug/debug-detect.js';
import { debugExportCommand } from './commands/debug/debug-export.js';
import { debugImportCommand } from './commands/debug/debug-import.js';
import { debugModelServerCommand } from './commands/debug/debug-model-server.js';
import { debugPromptCommand } from './commands/debug/debug-prompt.js';
import { debugProtocolCommand } from './commands/debug/debug-protocol.js';
import { debugSessionStateCommand } from './commands/debug/debug-session-state.js';
import { debugStateCommand } from './commands/debug/debug-state.js';
import { debugTranscriptCommand } from './commands/debug/debug-transcript.js';
import { debugVerifyCommand } from './commands/debug/debug-verify.js';
import { doctorCommand } from './commands/doctor.js';
import { handoffCommand } from './commands/handoff/handoff.js';
import { hookCommand } from './commands/hook/hook.js';
import { initCommand } from './commands/init.js';
import { logCommand } from './commands/log.js';
import { lsCommand } from './commands/ls.js';
import { mcpCommand } from './commands/mcp.js';
import { storeOption } from './commands/options.js';
import { overviewCommand } from './commands/overview.js';
import { purgeCommand } from './commands/purge.js';
import { recallCommand } from './commands/recall.js';
import { reportCommand } from './commands/report.js';
import { diffCommand } from './commands/run/diff.js';
import { logsCommand } from './commands/run/logs.js';
import { mergeCommand } from './commands/run/merge.js';
import { runCommand } from './commands/run.js';
import { downCommand } from './commands/supervisor/down.js';
import { statusCommand } from './commands/supervisor/status.js';
import { upCommand } from './commands/supervisor/up.js';
import { taskAddCommand } from './commands/task/task-add.js';
import { taskChangeCommand } from './commands/task/task-change.js';
import { TASK_CHANGES } from './commands/task/task-changes.js';
import { taskImportCommand } from './commands/task/task-import.js';
import { taskListCommand } from './commands/task/task-list.js';
import { taskShowCommand } from './commands/task/task-show.js';
import { taskStartCommand } from './commands/task/task-start.js';
import { agentCommand } from './commands/terminal/agent.js';
import { attachCommand } from './commands/terminal/attach.js';
import { renewCommand } from './commands/terminal/renew.js';
import { resumeCommand } from './commands/terminal/resume.js';
import { sendCommand } from './commands/terminal/send.js';
import { stopCommand } from './commands/terminal/stop.js';
import { workflowCheckCommand } from './commands/workflow/workflow-check.js';
import { workflowGraphCommand } from './commands/workflow/workflow-graph.js';
import { workflowListCommand } from './commands/workflow/workflow-list.js';
import { workflowNewCommand } from './commands/workflow/workflow-new.js';
import { workflowShowCommand } from './commands/workflow/workflow-show.js';
import type { Services } from './compose.js';
import { renderHelpGroups } from './help-groups.js';
import { requireOutside } from './terminal/require-outside.js';
import { AGENT_NAMES } from './terminal/terminal-world.js';

type Done = (exitCode: number) => void;
type CreateCommand = (services: Services, done: Done) => Command;

const RUN_COMMANDS: readonly CreateCommand[] = [
  initCommand,
  runCommand,
  lsCommand,
  logsCommand,
  answerCommand,
  diffCommand,
  mergeCommand,
  reportCommand,
  configCommand,
];

const SUPERVISOR_COMMANDS: readonly CreateCommand[] = [statusCommand, upCommand, downCommand];

const TERMINAL_COMMANDS: readonly CreateCommand[] = [
  ...AGENT_NAMES.map(agentCommand),
  attachCommand,
  sendCommand,
  stopCommand,
  resumeCommand,
  renewCommand,
];

const TASK_COMMANDS: readonly CreateCommand[] = [
  taskAddCommand,
  taskListCommand,
  taskShowCommand,
  taskStartCommand,
  ...TASK_CHANGES.map(
    (change): CreateCommand =>
      (services, done) =>
        taskChangeCommand(change, services, done),
  ),
  taskImportCommand,
];

const WORKFLOW_COMMANDS: readonly CreateCommand[] = [
  workflowListCommand,
  workflowShowCommand,
  workflowCheckCommand,
  workflowGraphCommand,
  workflowNewCommand,
];

const DEBUG_COMMANDS: readonly CreateCommand[] = [
  debugStateCommand,
  debugPromptCommand,
  debugVerifyCommand,
  debugExportCommand,
  debugImportCommand,
  debugSessionStateCommand,
  debugProtocolCommand,
  debugDetectCommand,
  debugTranscriptCommand,
  debugModelServerCommand,
];

const MORE_HELP = `
Without a command: what needs you and what runs, in all projects.

Examples:
  devs init
  devs run "Add a cart to the shop"
  devs claude --name parser "Fix the failing test"

Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** The commands that exist. Commander throws where it would end the process: `run` turns that into an exit code. */
export function createProgram(services: Services, done: Done): Command {
  const program: Command = new Command('devs')
    .description('Supervises AI coding agents, so that they stay coherent over hours and days.')
    .version(services.version, '-V, --version', 'print the version')
    .addOption(storeOption())
    .addHelpText('after', () => `${renderHelpGroups(program)}\n${MORE_HELP}`)
    .hook('preAction', (_, command) => requireOutside(command, services.terminals));
  const task = new Command('task')
    .description('What is to be done, and who does it.')
    .addHelpText('after', '\nExample:\n  devs task add Fix the login redirect');
  const workflow = new Command('workflow')
    .description('The steps that agents are led through.')
    .addHelpText('after', '\nExample:\n  devs workflow show default');
  const debug = new Command('debug')
    .description('Look at one part of devs at work.')
    .addHelpText('after', '\nExample:\n  devs debug detect answer.txt');
  for (const create of [...RUN_COMMANDS, ...SUPERVISOR_COMMANDS, ...TERMINAL_COMMANDS])
    program.addCommand(create(services, done));
  for (const create of TASK_COMMANDS) task.addCommand(create(services, done));
  for (const create of WORKFLOW_COMMANDS) workflow.addCommand(create(services, done));
  for (const create of DEBUG_COMMANDS) debug.addCommand(create(services, done));
  const others = [
    handoffCommand,
    recallCommand,
    logCommand,
    mcpCommand,
    hookCommand,
    doctorCommand,
    purgeCommand,
    completionCommand,
  ].map((create) => create(services, done));
  for (const command of [task, workflow, ...others, debug, builtinAgentCommand(services, done)])
    program.addCommand(command);
  for (const command of [program, ...descendants(program)]) applyManners(command, services);
  program.configureHelp({ ...program.configureHelp(), visibleCommands: () => [] }); // its groups are shown instead
  for (const group of [program, task, workflow, debug]) refuseUnknownCommands(group);
  return program;
}

/** `devs` by itself. */
export function createOverview(services: Services, done: Done, help: () => void): Command {
  const overview = overviewCommand(services, done, help);
  applyManners(overview, services);
  return overview;
}
