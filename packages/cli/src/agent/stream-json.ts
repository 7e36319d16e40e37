import { Command } from 'commander';
import type { AgentServices } from './agent-services.js';
import { withPermissionOptions } from './permission-options.js';
import type { StreamOptions } from './run-stream-agent.js';

const MORE_HELP = `
Holds a Claude Code by stream-json: shows what it says and does, and asks before
what neither its own settings nor the rules allow. devs starts it for runs with
an API key, or with \`transport: stream\` in .devs/config.yaml.

At its prompt: /clear, /compact, /exit. Ctrl-C ends the turn.

Example:
  devs stream-json --conversation ID -- claude --session-id=ID --print \\
    --input-format=stream-json --output-format=stream-json --verbose \\
    --replay-user-messages --permission-prompt-tool=stdio`;

/** `devs stream-json`: what runs in the terminal of a run whose Claude Code is not typed into. */
export function streamJsonCommand(services: AgentServices, done: (exitCode: number) => void): Command {
  const command = new Command('stream-json')
    .description('A Claude Code by stream-json, in this terminal, not supervised')
    .argument('<command...>', 'the program of the agent and its arguments, behind --')
    .option('--name <name>', 'what the agent is called', 'claude')
    .requiredOption('--conversation <id>', 'the id of the conversation, as the arguments of the agent name it')
    .option('--prompt-file <file>', 'the first prompt; the file is removed')
    .option('--refused-file <file>', 'where to write why the program does not speak stream-json');
  return withPermissionOptions(command)
    .addHelpText('after', MORE_HELP)
    .action(async (program: readonly string[], options: Omit<StreamOptions, 'command'>) => {
      done(await services.runStreamAgent({ ...options, command: program }));
    });
}
