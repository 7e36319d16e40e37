import { Command } from 'commander';
import type { Services } from '../../compose.js';
import { outputMode } from '../../output-mode.js';
import { resumeRun } from '../../run/resume-run.js';
import { findRun } from '../../runs/find-run.js';
import { namedRun } from '../../runs/named-run.js';
import { unfinishedRun } from '../../runs/unfinished-run.js';
import { projectOfRun } from '../../runs/use-run-store.js';
import type { StoreOptions } from '../../store-access/with-store.js';
import { jsonOption } from '../options.js';
import { NAME } from './name-argument.js';

const MORE_HELP = `
After a crash, a reboot or its end: the same conversation, with the options it
was started with. One that still runs is attached. Of a run, by its id: from
wherever it stands, as \`devs run\` would. Without a name: the run of this
project that is not over.

Examples:
  devs resume
  devs resume shop
  devs resume 3f9c

Exit code: that of the agent; 0 where you detached. Of a run: 0 done, 1 not.`;

export function resumeCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('resume')
    .description('Continue a run, or the conversation of an agent that is gone')
    .argument('[name]', NAME[1])
    .addOption(jsonOption('of a run: print each event as one line of JSON'))
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const name = wanted ?? (await unfinishedRun(options, services));
      const elsewhere = await projectOfRun(name, options, services);
      const flags = options.json === true ? ['--json'] : [];
      if (elsewhere !== undefined)
        return done(await services.runIn(elsewhere.root, ['resume', findRun(elsewhere.runs, name).id, ...flags]));
      const run = await namedRun(name, options, services);
      if (run === undefined) return done(await services.terminals.resume(name));
      const manner = { flags: [], mode: outputMode(options), merge: false, options };
      done(await resumeRun(run.id, manner, services));
    });
}
