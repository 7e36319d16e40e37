import { isAbsolute, join, relative } from 'node:path';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import { type Agreements, projectSubject } from './agreements.js';
import { HOW_TO_AGREE, type WaitingFile, waitingUnlessAgreed } from './waiting-file.js';

/** Which workflow files of a project count: its steps tell agents what to do on the machine of the user. */
export interface WorkflowGate {
  /** The text, to look at it. Rejects where it is not a file that a project may bring. */
  look(path: string): Promise<string>;
  /** The text of a file that the user agreed to. Rejects with the reason where they have not. */
  read(path: string): Promise<string>;
  /** The file as waiting for agreement; `undefined` if it needs none, or is outside of the project. */
  waiting(file: {
    readonly path: string;
    readonly shown: string;
    readonly text: string;
  }): Promise<WaitingFile | undefined>;
  /** Whether the file counts in place of a shipped one of the same name: only where this user made it. */
  mayReplace(path: string): Promise<boolean>;
}

/** `root`: absolute, as the paths. */
export function createWorkflowGate(agreements: Agreements, root: string): WorkflowGate {
  const gate: WorkflowGate = {
    async look(path) {
      const found = readProjectFile(root, path);
      if (found.status === 'read') return found.text;
      throw new CliError(
        found.status === 'missing'
          ? `there is no file ${visible(path)}.`
          : `cannot read ${visible(path)}: ${visible(found.why)}.`,
      );
    },
    async read(path) {
      const text = await gate.look(path);
      if ((await gate.waiting({ path, shown: path, text })) === undefined) return text;
      throw new CliError(`the user has not agreed to ${visible(path)}. ${HOW_TO_AGREE}.`);
    },
    async waiting({ path, shown, text }) {
      const inside = relative(root, path);
      if (inside.startsWith('..') || isAbsolute(inside)) return undefined;
      const subject = projectSubject('workflow', root, inside);
      return waitingUnlessAgreed({ subject, shown, text, does: 'leads agents through its steps' }, agreements);
    },
    mayReplace: (path) => agreements.has(projectSubject('made', root, relative(root, path)), ''),
  };
  return gate;
}

/** This user made the file with devs, so it needs no agreement until it changes. */
export async function agreeToMade(
  agreements: Agreements,
  file: { readonly root: string; readonly path: string; readonly kind: 'settings' | 'workflow'; readonly text: string },
): Promise<void> {
  const path = join(file.path);
  await agreements.add(projectSubject('made', file.root, path), '');
  await agreements.add(projectSubject(file.kind, file.root, path), file.text);
}
