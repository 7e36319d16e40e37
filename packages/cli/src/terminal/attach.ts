import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { TerminalServices } from './terminal-services.js';

const MORE_HELP = `
Its screen and what scrolled off it come back as they were. Ctrl-] d detaches.

Examples:
  devs attach
  devs attach shop
  devs attach shop --watch

Exit code: that of the agent where it ended meanwhile, 0 where you detached.`;

export function attachCommand(services: TerminalServices, done: (exitCode: number) => void): Command {
  return new Command('attach')
    .description('Go to an agent that runs')
    .argument('[name]', 'of the terminal, or the beginning of it; default: the only running one, or your choice')
    .option('--watch', 'only look: nothing you type is sent')
    .addHelpText('after', MORE_HELP)
    .action(async (name: string | undefined, { watch = false }: { watch?: boolean }) => {
      done(await services.terminals.attach(name ?? (await runningOne(services)), { watch }));
    });
}

/** The terminal that runs; where several do, the user picks one. */
async function runningOne({ terminals, pick }: Pick<TerminalServices, 'terminals' | 'pick'>): Promise<string> {
  const running = (await terminals.list()).filter(({ activity }) => activity !== 'exited');
  const [only, ...others] = running;
  if (only === undefined)
    throw new CliError('no terminal is running. Start one with `devs claude`, or a run with `devs run "…"`.');
  if (others.length === 0) return only.name;
  const widest = Math.max(...running.map(({ name }) => name.length));
  const picked = await pick(
    running.map(({ name, agent, folder }) => visible(`${name.padEnd(widest)}  ${agent}  ${folder}`)),
  );
  const chosen = picked === undefined ? undefined : running[picked];
  if (chosen !== undefined) return chosen.name;
  const names = running.map(({ name }) => name).join(', ');
  throw new UsageError(`several run: ${names}. Say which: devs attach ${only.name}`);
}
