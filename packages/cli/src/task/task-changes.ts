import type { Held } from '@devs/core';
import { Option } from 'commander';
import { claimOption } from '../program/options.js';
import type { ChangeOptions, TaskChange } from './task-change.js';

const reasonOption = () => new Option('--reason <text>', 'the reason; `-` reads it from stdin').makeOptionMandatory();

const held = (id: string, { claim }: ChangeOptions): Held => ({ id, ...(claim !== undefined && { fence: claim }) });

/** Everything that can become of a task by one call. */
export const TASK_CHANGES: readonly TaskChange[] = [
  {
    name: 'done',
    description: 'Say that a task is done',
    help: `What depends on it may then be started.

Examples:
  devs task done fix-login --result "redirects to where one came from"
  npm test 2>&1 | tail -3 | devs task done fix-login --result -`,
    options: [new Option('--result <text>', 'what came of it; `-` reads it from stdin'), claimOption()],
    perform: (tasks, id, options) =>
      tasks.complete({ ...held(id, options), ...(options.result !== undefined && { result: options.result }) }),
    says: ({ id }) => `${id} is done.`,
  },
  {
    name: 'fail',
    description: 'Say that a task has failed',
    help: 'Example:\n  devs task fail fix-login --reason "the identity provider has no test account"',
    options: [reasonOption(), claimOption()],
    perform: (tasks, id, options) => tasks.fail({ ...held(id, options), reason: options.reason ?? '' }),
    says: ({ id }) => `${id} has failed. To try again: devs task retry ${id}`,
  },
  {
    name: 'block',
    description: 'Mark a task as blocked',
    help: `Every prompt names what is blocked, until it is unblocked.

Example:
  devs task block deploy --reason "no key for staging; ask Bo"`,
    options: [reasonOption(), claimOption()],
    perform: (tasks, id, options) => tasks.block({ ...held(id, options), reason: options.reason ?? '' }),
    says: ({ id }) => `${id} is blocked. When the way is free: devs task unblock ${id}`,
  },
  {
    name: 'unblock',
    description: 'Unblock a task',
    help: 'Example:\n  devs task unblock deploy',
    options: [],
    perform: (tasks, id) => tasks.unblock(id),
    says: ({ id }) => `${id} is pending again.`,
  },
  {
    name: 'retry',
    description: 'Have a task that failed or is done, done again',
    help: 'Example:\n  devs task retry fix-login',
    options: [],
    perform: (tasks, id) => tasks.retry(id),
    says: ({ id }) => `${id} is pending again.`,
  },
  {
    name: 'release',
    description: 'Give a started task back',
    help: 'It is pending again, as if it had not been started.\n\nExample:\n  devs task release fix-login',
    options: [claimOption()],
    perform: (tasks, id, options) => tasks.release(held(id, options)),
    says: ({ id }) => `${id} is pending again.`,
  },
  {
    name: 'remove',
    description: 'Remove a task',
    help: `The log keeps what happened to it. A task in progress must be released first,
and a task that others wait for stays.

Example:
  devs task remove fix-login`,
    options: [],
    perform: (tasks, id) => tasks.remove(id),
    says: ({ id }) => `${id} is removed.`,
  },
];
