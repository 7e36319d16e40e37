import { Command } from 'commander';
import type { AgentServices } from './agent-services.js';
import { withPermissionOptions } from './permission-options.js';
import type { AcpOptions } from './run-acp-agent.js';

const MORE_HELP = `
Holds an agent that speaks the Agent Client Protocol: shows what it says and
does, asks before what the rules do not allow, and keeps a transcript. devs
starts it for agents that are named under \`agents\` in .devs/config.yaml:

  agents: { mine: { acp: [my-agent, acp] } }

At its prompt: /clear, /compact where the agent has it, /exit. Ctrl-C ends the
turn.

Example:
  devs acp --name gemini -- gemini --acp`;

/** `devs acp`: what runs in a terminal of an agent that is reached by ACP. */
export function acpCommand(services: AgentServices, done: (exitCode: number) => void): Command {
  const command = new Command('acp')
    .description('An agent that speaks ACP, in this terminal, not supervised')
    .argument('<command...>', 'the program of the agent and its arguments, behind --')
    .option('--name <name>', 'what the agent is called', 'acp')
    .option('--conversation <id>', 'the id of the conversation')
    .option('--compact <text>', 'what the agent takes to shorten its conversation, and reports')
    .option('--prompt-file <file>', 'the first prompt; the file is removed')
    .option('--system-prompt-file <file>', 'what the agent is told from the start')
    .option('--mcp-config <file>', 'tools: {"mcpServers": {…}}');
  return withPermissionOptions(command)
    .addHelpText('after', MORE_HELP)
    .action(async (program: readonly string[], options: Omit<AcpOptions, 'command'>) => {
      done(await services.runAcpAgent({ ...options, command: program }));
    });
}
