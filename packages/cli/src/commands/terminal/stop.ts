import { Command } from 'commander';
import type { Services } from '../../compose.js';
import { outputMode } from '../../output-mode.js';
import { toJson } from '../../screen/to-json.js';
import { visible } from '../../screen/visible.js';
import type { StopReport } from '../../terminal/stop-terminal.js';
import { jsonOption } from '../options.js';
import { NAME } from './name-argument.js';

const MORE_HELP = `
The agent is asked to end, and ended after three seconds; then everything that
it started. Its conversation stays: \`devs resume\` goes on in it.

Example:
  devs stop shop

Exit codes: 0 stopped, or it did not run, 1 something could not be ended.`;

export function stopCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('stop')
    .description('End an agent and everything that it started')
    .argument(...NAME)
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (name: string, options: { json?: boolean }) => {
      const report = await services.terminals.stop(name);
      services.print(outputMode(options) === 'json' ? toJson(report) : describe(report).join('\n'));
      done(report.left.length === 0 ? 0 : 1);
    });
}

function describe({ name, wasRunning, ended, left }: StopReport): string[] {
  if (!wasRunning) return [`${name} did not run.`];
  const [agent, ...others] = ended;
  return [
    agent === undefined ? `${name} has ended.` : `Stopped ${name} (${visible(agent.command)}, pid ${agent.pid}).`,
    ...(others.length === 0 ? [] : ['With it ended what it had started:']),
    ...others.map(({ pid, command }) => `  ${pid}  ${visible(command)}`),
    ...left.map(({ pid, command }) => `Could not be ended: ${pid}  ${visible(command)}`),
  ];
}
