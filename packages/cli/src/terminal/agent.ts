import { Command } from 'commander';
import { storeOption } from '../program/options.js';
import { chooseStore, type StoreOptions } from '../store-access/with-store.js';
import type { TerminalServices } from './terminal-services.js';

const moreHelp = (agent: string) => `
Everything behind \`${agent}\` is passed to it as it is; options of devs come
before it. It runs in a terminal of its own that outlives this window: close it,
and come back with \`devs attach\`. Non-interactive calls such as
\`${agent} --help\` run directly, and so does every call without a terminal.

Keys: Ctrl-] d detaches, Ctrl-] r renews, Ctrl-] ? tells the others. The title
shows how full the context is. More: docs/terminals.md

Examples:
  devs ${agent}
  devs ${agent} --name parser "Fix the failing test"

Exit code: that of ${agent}; 0 where you detached.`;

/** `devs claude`, `devs codex`: the user's own CLI, supervised. */
export const agentCommand =
  (agent: string) =>
  (services: TerminalServices, done: (exitCode: number) => void): Command =>
    new Command(agent)
      .description(`Start your own ${agent}, supervised, in a terminal that stays`)
      .usage('[args…]')
      .argument('[args...]', `for ${agent}`)
      .option('--name <name>', 'for `devs attach`; default: after the folder')
      .addOption(storeOption())
      .addHelpText('after', moreHelp(agent))
      .action(async (args: readonly string[], _options: unknown, command: Command) => {
        const options = command.optsWithGlobals<StoreOptions & { name?: string }>();
        const { name } = options;
        const store = chooseStore(options, services);
        done(await services.terminals.start({ agent, args, store, ...(name === undefined ? {} : { name }) }));
      });
