import { Command, Option } from 'commander';
import { storeOption } from '../program/options.js';
import { chooseStore, type StoreOptions } from '../store-access/with-store.js';
import type { McpServices } from './mcp-services.js';

const MORE_HELP = `
Speaks MCP over stdin and stdout, for an agent that starts it; all it prints is
JSON. It ends when its input does. What it knows is in the store, so that it can
be ended and started again at any time, and several may serve one worktree.

Examples:
  devs mcp --worktree . --workflow-path workflows/feature.yaml
  claude mcp add devs -- devs mcp --worktree "$PWD"`;

interface McpOptions extends StoreOptions {
  readonly worktree: string;
  readonly workflowPath?: string;
  readonly repoRoot?: string;
  readonly reportTo?: string;
}

export function mcpCommand(services: McpServices, done: (exitCode: number) => void): Command {
  return new Command('mcp')
    .description('Serve a workflow to an agent, over MCP on stdio')
    .option('--worktree <dir>', 'where the agent works', '.')
    .option('--workflow-path <file>', 'the workflow; default: which one the agent asks for')
    .option('--repo-root <dir>', 'the project that keeps the records; default: the worktree’s')
    .addOption(storeOption())
    .addOption(new Option('--report-to <file>', 'where a run reads whether its tools are there').hideHelp())
    .option('--json', 'no difference: it never prints anything else')
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<McpOptions>();
      const { worktree, workflowPath, repoRoot, reportTo } = options;
      const request = {
        worktree,
        location: chooseStore(options, services),
        ...(workflowPath !== undefined && { workflowPath }),
        ...(repoRoot !== undefined && { repoRoot }),
        ...(reportTo !== undefined && { reportTo }),
      };
      await services.untilInterrupted((signal) => services.serveWorkflow(request, signal));
      done(0);
    });
}
