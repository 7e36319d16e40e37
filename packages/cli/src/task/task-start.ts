import type { ClaimOutcome, Store } from '@devs/core';
import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import { durationOption, jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { calendarOf, describeTime } from '../time/describe-time.js';
import { count } from '../words.js';
import { describeRefusal, unknownTask } from './task-advice.js';
import type { TaskServices } from './task-services.js';

const DEFAULT_LEASE_MS = 30 * 60_000;

const MORE_HELP = `
No one else gets the task until the lease is over. Then anyone who starts a task
may get it, so that nothing is lost with a dead process.

Examples:
  devs task start fix-login
  devs task start --next --by agent-1 --lease 2h --json

Exit codes: 0 started, 1 there is nothing to start, or not this one, 2 wrong
usage.`;

interface StartOptions extends StoreOptions {
  readonly next?: boolean;
  readonly by?: string;
  readonly lease: number;
  readonly json?: boolean;
}

export function taskStartCommand(services: TaskServices, done: (exitCode: number) => void): Command {
  return new Command('start')
    .description('Take up a task, or the next one')
    .argument('[id]', 'the id of the task')
    .option('--next', 'the one with the highest priority that waits for nothing')
    .option('--by <name>', 'who takes it up; default: your user name')
    .addOption(durationOption('--lease <time>', 'how long it is theirs').default(DEFAULT_LEASE_MS, '30m'))
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (id: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StartOptions>();
      if ((id === undefined) === (options.next !== true)) throw new UsageError('name a task, or give --next.');
      const claim = { by: options.by ?? services.userName, leaseMs: options.lease, ...(id !== undefined && { id }) };
      const started = await withExistingStore(
        services,
        options,
        async ({ store }) => {
          const outcome = await store.tasks.claim(claim);
          return { outcome, problem: await problemOf(outcome, store, id ?? '') };
        },
        () => undefined,
      );
      if (started === undefined) throw id === undefined ? new CliError(NOTHING) : unknownTask(id);
      const { outcome, problem } = started;
      if (outputMode(options) === 'json') services.print(toJson(outcome));
      else if (outcome.status === 'claimed') services.print(renderClaim(outcome, services));
      if (problem !== undefined) services.warn(`devs: ${problem}`);
      done(outcome.status === 'claimed' ? 0 : 1);
    });
}

const NOTHING = 'nothing to start. Add a task: devs task add "What to do"';

async function problemOf(outcome: ClaimOutcome, { tasks }: Store, id: string): Promise<string | undefined> {
  if (outcome.status === 'claimed') return undefined;
  if (outcome.status === 'refused') return describeRefusal(outcome, { id, status: (await tasks.get(id))?.status });
  const waiting = (await tasks.list({ statuses: ['pending'], limit: 1 })).total;
  const blocked = (await tasks.list({ statuses: ['blocked'], limit: 1 })).total;
  if (waiting + blocked === 0) return NOTHING;
  return `there is nothing to start now: ${count(waiting, 'task')} waiting for others, ${blocked} blocked. See \`devs task list\`.`;
}

function renderClaim({ task, fence }: Extract<ClaimOutcome, { status: 'claimed' }>, services: TaskServices): string {
  const until = task.lease === undefined ? '' : ` until ${describeTime(task.lease.until, calendarOf(services))}`;
  return [
    `${task.id}  ${visible(task.intent)}`,
    `Yours${until}, as claim ${fence}.`,
    `When it is done: devs task done ${task.id}`,
  ].join('\n');
}
