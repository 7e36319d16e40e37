import type { TaskOutcome, TaskQueue, TaskRecord } from '@devs/core';
import { Command, type Option } from 'commander';
import { jsonOption, storeOption } from '../program/options.js';
import { textOrStdin } from '../program/text-or-stdin.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { describeRefusal, unknownTask } from './task-advice.js';
import type { TaskServices } from './task-services.js';

/** Options of a change on the command line. */
export interface ChangeOptions extends StoreOptions {
  readonly claim?: number;
  readonly result?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

/** One kind of change to a task: its command, its effect, and its message. */
export interface TaskChange {
  readonly name: string;
  readonly description: string;
  readonly help: string;
  readonly options: readonly Option[];
  readonly perform: (tasks: TaskQueue, id: string, options: ChangeOptions) => Promise<TaskOutcome>;
  readonly says: (task: TaskRecord) => string;
}

export function taskChangeCommand(
  { name, description, help, options: own, perform, says }: TaskChange,
  services: TaskServices,
  done: (exitCode: number) => void,
): Command {
  const command = new Command(name).description(description).argument('<id>', 'the id of the task');
  for (const option of own) command.addOption(option);
  return command
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', `\n${help}`)
    .action(async (id: string) => {
      const given = command.optsWithGlobals<ChangeOptions>();
      const result = await textOrStdin(given.result, services);
      const reason = await textOrStdin(given.reason, services);
      const options = { ...given, ...(result !== undefined && { result }), ...(reason !== undefined && { reason }) };
      const changed = await withExistingStore(
        services,
        options,
        async ({ store }) => {
          const outcome = await perform(store.tasks, id, options);
          if (outcome.status === 'ok') return { outcome };
          return { outcome, refusal: describeRefusal(outcome, { id, status: (await store.tasks.get(id))?.status }) };
        },
        () => undefined,
      );
      if (changed === undefined) throw unknownTask(id);
      const { outcome, refusal } = changed;
      if (outputMode(options) === 'json') services.print(toJson(outcome));
      else if (outcome.status === 'ok') services.print(says(outcome.task));
      if (refusal !== undefined) services.warn(`devs: ${refusal}`);
      done(outcome.status === 'ok' ? 0 : 1);
    });
}
