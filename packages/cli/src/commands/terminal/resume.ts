import { Command } from 'commander';
import type { Services } from '../../compose.js';
import { outputMode } from '../../output-mode.js';
import { resumeRun } from '../../run/resume-run.js';
import { namedRun } from '../../runs/named-run.js';
import { folderOfRun } from '../../runs/use-run-store.js';
import type { StoreOptions } from '../../store-access/with-store.js';
import { jsonOption } from '../options.js';
import { NAME } from './name-argument.js';

const MORE_HELP = `
After a crash, a reboot or its end: the same conversation, with the options it
was started with. One that still runs is attached. Of a run, by its id: from
wherever it stands, as \`devs run\` would.

Examples:
  devs resume shop
  devs resume 3f9c

Exit code: that of the agent; 0 where you detached. Of a run: 0 done, 1 not.`;

export function resumeCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('resume')
    .description('Go on with a run, or in the conversation of an agent that is gone')
    .argument(...NAME)
    .addOption(jsonOption('of a run: print each event as one line of JSON'))
    .addHelpText('after', MORE_HELP)
    .action(async (name: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const elsewhere = await folderOfRun(name, options, services);
      if (elsewhere !== undefined)
        return done(await services.runIn(elsewhere, ['resume', name, ...(options.json === true ? ['--json'] : [])]));
      const run = await namedRun(name, options, services);
      if (run === undefined) return done(await services.terminals.resume(name));
      const manner = { flags: [], mode: outputMode(options), merge: false, options };
      done(await resumeRun(run.id, manner, services));
    });
}
