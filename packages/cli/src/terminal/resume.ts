import { isUnfinished, type RunFacts, readRuns } from '@devs/core';
import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import { jsonOption, NAME } from '../program/options.js';
import { findRun, namedRun } from '../run/find-run.js';
import { findOtherProject, projectOfRun } from '../run/other-project.js';
import { resumeRun } from '../run/resume-run.js';
import type { RunServices } from '../run/run-services.js';
import { outputMode } from '../screen/output-mode.js';
import { visible } from '../screen/visible.js';
import type { StoreOptions } from '../store-access/with-store.js';
import { withExistingStore } from '../store-access/with-store.js';

/**
 * The id of the only unfinished run, of this project or else of another. Prints it, and rejects if there are several.
 */
async function unfinishedRun(options: StoreOptions, services: RunServices): Promise<string> {
  const meant = (runs: readonly RunFacts[]) => runs.filter(isUnfinished);
  const here = meant(await withExistingStore(services, options, readRuns, () => []));
  const other = here.length > 0 ? undefined : await findOtherProject(meant, options, services);
  const [run, ...more] = other?.runs ?? here;
  if (run === undefined) throw new CliError('no run is left to continue. See all with `devs ls`.');
  if (more.length > 0) {
    const named = [run, ...more].map(({ id, plan }) => `  ${id}  ${visible(firstLine(plan?.request))}`);
    throw new UsageError(`several runs are not over. Name one:\n${named.join('\n')}`);
  }
  services.warn(`devs: continuing ${run.id}${other === undefined ? '' : ` in ${visible(other.root)}`}`);
  return run.id;
}

const MAX_CHARS = 60;

const firstLine = (text = ''): string => {
  const [line = ''] = text.split('\n');
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
};

const MORE_HELP = `
After a crash, a reboot or its end: the same conversation, with the options it
was started with. A running one is attached. Of a run, by its id: from
wherever it stands, as \`devs run\` would. Without a name: the run of this
project that is not over.

Examples:
  devs resume
  devs resume shop
  devs resume 3f9c

Exit code: that of the agent; 0 where you detached. Of a run: 0 done, 1 not.`;

export function resumeCommand(services: RunServices, done: (exitCode: number) => void): Command {
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
