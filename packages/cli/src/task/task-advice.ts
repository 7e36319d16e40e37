import type { RefusedTask, TaskStatus } from '@devs/core';
import { CliError } from '../cli-error.js';
import { clip } from '../screen/clip.js';

const MAX_ID_COLUMNS = 100;

export const unknownTask = (id: string): CliError =>
  new CliError(`there is no task ${clip(id, MAX_ID_COLUMNS)}. See what there is: \`devs task list --all\`.`);

const NEXT_STEP: Readonly<Record<TaskStatus, (id: string) => string>> = {
  pending: (id) => `Take it up with \`devs task start ${id}\`.`,
  in_progress: (id) => `Give it back first with \`devs task release ${id}\`.`,
  blocked: (id) => `Say that the way is free with \`devs task unblock ${id}\`.`,
  done: (id) => `To have it done again: \`devs task retry ${id}\`.`,
  failed: (id) => `To try again: \`devs task retry ${id}\`.`,
};

/** A refusal for people, and what they can do about it. */
export function describeRefusal(
  { reason, message }: RefusedTask,
  { id, status }: { readonly id: string; readonly status?: TaskStatus | undefined },
): string {
  const sentence = `${message}.`;
  switch (reason) {
    case 'unknown':
      return `${sentence} See what there is: \`devs task list --all\`.`;
    case 'stale':
    case 'waiting':
      return `${sentence} See \`devs task show ${id}\`.`;
    case 'wrong-status':
      return status === undefined ? sentence : `${sentence} ${NEXT_STEP[status](id)}`;
  }
}
