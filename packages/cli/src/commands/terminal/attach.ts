import { Command } from 'commander';
import type { Services } from '../../compose.js';
import { NAME } from './name-argument.js';

const MORE_HELP = `
Its screen and what scrolled off it come back as they were. Ctrl-] d detaches.

Examples:
  devs attach shop
  devs attach shop --watch

Exit code: that of the agent where it ended meanwhile, 0 where you detached.`;

export function attachCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('attach')
    .description('Go to an agent that runs')
    .argument(...NAME)
    .option('--watch', 'only look: nothing you type is sent')
    .addHelpText('after', MORE_HELP)
    .action(async (name: string, { watch = false }: { watch?: boolean }) => {
      done(await services.terminals.attach(name, { watch }));
    });
}
