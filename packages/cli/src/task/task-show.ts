import { collect, readAll, type Store } from '@devs/core';
import { Command } from 'commander';
import type { Services } from '../compose.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { calendarOf } from '../time/calendar-of.js';
import { renderTask, type TaskAccount } from './render-task.js';
import { unknownTask } from './unknown-task.js';

const MORE_HELP = `
Example:
  devs task show fix-login`;

export function taskShowCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('show')
    .description('Show one task and what happened to it')
    .argument('<id>', 'the id of the task')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const account = await withExistingStore(
        services,
        options,
        ({ store }) => accountOf(id, store),
        () => undefined,
      );
      if (account === undefined) throw unknownTask(id);
      const asText = () => renderTask(account, services.screen, calendarOf(services)).join('\n');
      services.print(outputMode(options) === 'json' ? toJson(account) : asText());
      done(0);
    });
}

async function accountOf(id: string, { tasks, log }: Store): Promise<TaskAccount | undefined> {
  const task = await tasks.get(id);
  if (task === undefined) return undefined;
  const history = await collect(readAll(log, { stream: `task:${id}` }));
  const others = await Promise.all(task.depends_on.map((other) => tasks.get(other)));
  const dependencies = task.depends_on.map((other, index) => {
    const status = others[index]?.status;
    return { id: other, ...(status !== undefined && { status }) };
  });
  return { task, history, dependencies };
}
