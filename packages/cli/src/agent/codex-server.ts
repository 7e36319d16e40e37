import { Command } from 'commander';
import type { AgentServices } from './agent-services.js';

const MORE_HELP = `
Holds the app server of Codex for a run, with Codex's own screen of the same
conversation in this terminal. devs starts it by itself.

Example:
  devs codex-server --folder ~/.local/state/devs/…`;

/** `devs codex-server`: what runs in the terminal of a run with Codex. */
export function codexServerCommand(services: AgentServices, done: (exitCode: number) => void): Command {
  return new Command('codex-server')
    .description('Codex over its app server, in this terminal, not supervised')
    .requiredOption('--folder <folder>', 'where the files of the launch are')
    .addHelpText('after', MORE_HELP)
    .action(async ({ folder }: { folder: string }) => {
      done(await services.holdCodex(folder));
    });
}
