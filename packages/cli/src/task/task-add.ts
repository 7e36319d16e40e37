import type { NewTask, TaskQueue, TaskRecord } from '@devs/core';
import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import { collectIds, jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { textOrStdin } from '../program/text-or-stdin.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withStore } from '../store-access/with-store.js';
import { freeId, slugOf } from './make-task-id.js';
import { saidBase } from './said-base.js';
import type { TaskServices } from './task-services.js';

const MORE_HELP = `
Prints the id of the new task. Without --id it is made from the intent.

Examples:
  devs task add Fix the login redirect
  devs task add "Write the docs" --id docs --after fix-login-redirect
  devs task add "Plan the release" --priority 5 --description-file plan.md
  git diff | devs task add Review this change --description -`;

interface AddOptions extends StoreOptions {
  readonly id?: string;
  readonly description?: string;
  readonly descriptionFile?: string;
  readonly after?: readonly string[];
  readonly priority?: number;
  readonly needs?: readonly string[];
  readonly json?: boolean;
}

export function taskAddCommand(services: TaskServices, done: (exitCode: number) => void): Command {
  return new Command('add')
    .description('Add a task')
    .argument('<intent...>', 'the task, in one line')
    .option('--id <id>', 'its name: letters, digits, ".", "_" and "-"')
    .option('--description <text>', 'all that needs to be known; `-` reads it from stdin')
    .option('--description-file <file>', 'the same from a file; `-` for stdin')
    .option('--after <id>', 'only when that one is done; may be repeated', collectIds)
    .option('--priority <number>', 'higher comes first; default: 0', wholeNumber({ from: -1_000, to: 1_000 }))
    .option('--needs <label>', 'only on a machine with this label or agent; may be repeated', collectIds)
    .addOption(storeOption())
    .addOption(jsonOption('print the task as one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>();
      const description = await readDescription(options, services);
      const draft = {
        intent: words.join(' '),
        ...(description !== undefined && { description }),
        ...(options.after !== undefined && { depends_on: options.after }),
        ...(options.priority !== undefined && { priority: options.priority }),
        ...(options.needs !== undefined && { needs: options.needs }),
        ...baseOf(await saidBase(services, options)),
      };
      const task = await withStore(services, options, ({ store }) => addTask(store.tasks, draft, options.id));
      services.print(outputMode(options) === 'json' ? toJson(task) : task.id);
      done(0);
    });
}

const baseOf = (base: string | undefined) => (base === undefined ? {} : { base });

async function readDescription(options: AddOptions, services: TaskServices): Promise<string | undefined> {
  const { description, descriptionFile } = options;
  if (description !== undefined && descriptionFile !== undefined) {
    throw new UsageError('--description and --description-file say the same thing. Give one of them.');
  }
  if (descriptionFile === undefined) return textOrStdin(description, services);
  return services.readText(descriptionFile === '-' ? undefined : descriptionFile);
}

/** With a made id, another process may take the same one first: then the next is tried. */
async function addTask(tasks: TaskQueue, draft: Omit<NewTask, 'id'>, wanted: string | undefined): Promise<TaskRecord> {
  const isTaken = async (id: string) => (await tasks.get(id)) !== undefined;
  if (wanted !== undefined && (await isTaken(wanted))) {
    throw new CliError(`there is a task ${wanted} already. Choose another --id, or leave it out to have one made.`);
  }
  while (true) {
    const id = wanted ?? (await freeId(slugOf(draft.intent), isTaken));
    try {
      const [task] = await tasks.add([{ id, ...draft }]);
      if (task !== undefined) return task;
    } catch (error) {
      if (wanted !== undefined || !(await isTaken(id))) throw error;
    }
  }
}
