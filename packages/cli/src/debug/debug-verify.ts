import { Command } from 'commander';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { count, grouped } from '../words.js';
import type { DebugServices } from './debug-services.js';
import { type Verification, verifyRecord } from './record/verify-record.js';

const MAX_PROBLEMS = 20;

const MORE_HELP = `
No gap in the log, the state equal to its fold, each task equal to what the log
says of it. Others may keep working meanwhile.

Example:
  devs debug verify

Exit codes: 0 all is well, 1 something is wrong, 2 wrong usage.`;

export function debugVerifyCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('verify')
    .description('Check that state and tasks follow from the log')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const nothing = (): Verification => ({ events: 0, streams: 0, tasks: 0, problems: [] });
      const result = await withExistingStore(services, options, verifyRecord, nothing);
      const isWell = result.problems.length === 0;
      if (outputMode(options) === 'json') services.print(toJson({ ok: isWell, ...result }));
      else services.print(describeResult(result, services));
      done(isWell ? 0 : 1);
    });
}

function describeResult({ events, streams, tasks, problems }: Verification, { screen }: DebugServices): string {
  const looked = `${count(events, 'event')} in ${count(streams, 'stream')}, ${count(tasks, 'task')}`;
  if (problems.length === 0) return screen.palette.good(`All is well: ${looked}.`);
  const left = problems.length - MAX_PROBLEMS;
  return [
    screen.palette.bad(`${count(problems.length, 'thing')} wrong in ${looked}:`),
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${visible(problem)}`),
    ...(left > 0 ? [`  and ${grouped(left)} more (--json lists them all)`] : []),
    'The log is the truth: `devs debug export FILE`, then import it into a new store.',
  ].join('\n');
}
