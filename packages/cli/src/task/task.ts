import { Command } from 'commander';
import { taskAddCommand } from './task-add.js';
import { taskChangeCommand } from './task-change.js';
import { TASK_CHANGES } from './task-changes.js';
import { taskImportCommand } from './task-import.js';
import { taskListCommand } from './task-list.js';
import type { TaskServices } from './task-services.js';
import { taskShowCommand } from './task-show.js';
import { taskStartCommand } from './task-start.js';

export function taskCommand(services: TaskServices, done: (exitCode: number) => void): Command {
  const task = new Command('task')
    .description('Tasks, and who works on them.')
    .addHelpText('after', '\nExample:\n  devs task add Fix the login redirect');
  for (const create of [taskAddCommand, taskListCommand, taskShowCommand, taskStartCommand])
    task.addCommand(create(services, done));
  for (const change of TASK_CHANGES) task.addCommand(taskChangeCommand(change, services, done));
  return task.addCommand(taskImportCommand(services, done));
}
