import type { LiveClient, LiveSubscription, ServerMessage } from '@devs/api';
import type { StoredEvent } from '@devs/core/folds';
import { createProjectFold, type ProjectFold } from '../fold/project-fold.js';

/** The log of one project, as far as it has come. */
export interface FollowedProject {
  readonly fold: ProjectFold;
  /** Read up to its end since the connection was made. */
  isCaughtUp: boolean;
}

interface FollowDeps {
  readonly live: LiveClient;
  after(ms: number, task: () => void): () => void;
  onChange(): void;
  /** Something happened that may change what no log says. */
  onNews(): void;
}

const AGAIN_MS = 2_000;

/** A log that was replaced by another one is read from its beginning. */
export function followProject(root: string, { live, after, onChange, onNews }: FollowDeps): FollowedProject {
  let fold = createProjectFold(root);
  let subscription: LiveSubscription | undefined;
  const project: FollowedProject = {
    get fold() {
      return fold;
    },
    isCaughtUp: false,
  };
  const hear = (message: ServerMessage) => {
    if (message.type === 'events') {
      fold.add(message.events as readonly StoredEvent[], message.position);
      if (project.isCaughtUp && message.events.some(({ type }) => type.startsWith('run.'))) onNews();
      onChange();
    } else if (message.type === 'caught-up') {
      project.isCaughtUp = true;
      onChange();
    } else if (message.type === 'ended') {
      subscription?.close();
      project.isCaughtUp = false;
      onChange();
      if (message.problem?.code === 'conflict') fold = createProjectFold(root);
      after(AGAIN_MS, open);
    }
  };
  const open = () => {
    project.isCaughtUp = false;
    subscription = live.subscribe({ to: 'log', project: root, after: fold.state.position }, { onMessage: hear });
  };
  open();
  return project;
}
