import type { LiveClient } from '@devs/api';
import { type FollowedProject, followProject } from './follow-project.js';

/** The logs of all projects, each as far as it has come. */
export interface FollowedLogs {
  readonly all: ReadonlyMap<string, FollowedProject>;
  /** From now on, if it is not followed yet. */
  follow(root: string): void;
  /** All of them were read up to their ends since the connection was made. */
  isCaughtUp(): boolean;
  /** The connection is another one: what came meanwhile is not known yet. */
  reconnected(): void;
}

interface LogsDeps {
  readonly live: LiveClient;
  after(ms: number, task: () => void): () => void;
  onChange(): void;
  onNews(): void;
}

export function createFollowedLogs(deps: LogsDeps): FollowedLogs {
  const all = new Map<string, FollowedProject>();
  return {
    all,
    follow(root) {
      if (!all.has(root)) all.set(root, followProject(root, deps));
    },
    isCaughtUp: () => [...all.values()].every((project) => project.isCaughtUp),
    reconnected() {
      for (const project of all.values()) project.isCaughtUp = false;
    },
  };
}
