import { PROGRAM_AGENTS } from '@devs/drivers/agents';
import type { Command } from 'commander';
import type { Composed } from '../compose.js';
import { FIRST } from './help-groups.js';

export type CreateCommand = (services: Composed, done: (exitCode: number) => void) => Command;

/**
 * The commands of `devs` by their names, in the order in which they are listed. Each is loaded when it is asked for: to load
 * all of them takes longer than most of them work.
 */
export const COMMANDS: ReadonlyMap<string, () => Promise<CreateCommand>> = new Map<
  string,
  () => Promise<CreateCommand>
>([
  ['init', async () => (await import('../init/init.js')).initCommand],
  ['run', async () => (await import('../run/run.js')).runCommand],
  ['worker', async () => (await import('../fleet/worker.js')).workerCommand],
  ['machines', async () => (await import('../fleet/machines.js')).machinesCommand],
  ['ls', async () => (await import('../overview/ls.js')).lsCommand],
  ['logs', async () => (await import('../run/logs.js')).logsCommand],
  ['answer', async () => (await import('../run/answer.js')).answerCommand],
  ['diff', async () => (await import('../run/diff.js')).diffCommand],
  ['merge', async () => (await import('../run/merge.js')).mergeCommand],
  ['report', async () => (await import('../run/report.js')).reportCommand],
  ['config', async () => (await import('../config/config.js')).configCommand],
  ['status', async () => (await import('../supervise/status.js')).statusCommand],
  ['ui', async () => (await import('../supervise/ui.js')).uiCommand],
  ['up', async () => (await import('../supervise/up.js')).upCommand],
  ['down', async () => (await import('../supervise/down.js')).downCommand],
  ...PROGRAM_AGENTS.map(
    (agent) => [agent, async () => (await import('../terminal/agent.js')).agentCommand(agent)] as const,
  ),
  ['attach', async () => (await import('../terminal/attach.js')).attachCommand],
  ['send', async () => (await import('../terminal/send.js')).sendCommand],
  ['interrupt', async () => (await import('../terminal/interrupt.js')).interruptCommand],
  ['stop', async () => (await import('../terminal/stop.js')).stopCommand],
  ['resume', async () => (await import('../terminal/resume.js')).resumeCommand],
  ['renew', async () => (await import('../terminal/renew.js')).renewCommand],
  ['task', async () => (await import('../task/task.js')).taskCommand],
  ['workflow', async () => (await import('../workflow/workflow.js')).workflowCommand],
  ['handoff', async () => (await import('../handoff/handoff.js')).handoffCommand],
  ['recall', async () => (await import('../recall/recall.js')).recallCommand],
  ['log', async () => (await import('../log/log.js')).logCommand],
  ['mcp', async () => (await import('../mcp/mcp.js')).mcpCommand],
  ['hook', async () => (await import('../hook/hook.js')).hookCommand],
  ['doctor', async () => (await import('../doctor/doctor.js')).doctorCommand],
  ['archive', async () => (await import('../archive/archive.js')).archiveCommand],
  ['purge', async () => (await import('../purge/purge.js')).purgeCommand],
  ['completion', async () => (await import('./completion.js')).completionCommand],
  ['debug', async () => (await import('../debug/debug.js')).debugCommand],
  ['agent', async () => (await import('../agent/agent.js')).builtinAgentCommand],
  ['acp', async () => (await import('../agent/acp.js')).acpCommand],
  ['codex-server', async () => (await import('../agent/codex-server.js')).codexServerCommand],
  ['stream-json', async () => (await import('../agent/stream-json.js')).streamJsonCommand],
]);

/** Works on all the others. */
const ABOUT_ALL = 'completion';

/** The commands that a command line needs: one if it begins with a command's name, those that `--help` describes, else all. */
export function commandsFor([name, ...rest]: readonly string[]): readonly (() => Promise<CreateCommand>)[] {
  if (rest.length === 0 && (name === '--help' || name === '-h'))
    return FIRST.flatMap((each) => COMMANDS.get(each) ?? []);
  const load = name === undefined || name === ABOUT_ALL ? undefined : COMMANDS.get(name);
  return load === undefined ? [...COMMANDS.values()] : [load];
}
