import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './agreements.js';

/** A file of a project as the subject of an agreement: the same on every way to the project. */
export const projectSubject = (kind: Subject['kind'], root: string, path: string): Subject => ({
  kind,
  place: join(realFolder(root), path),
});

function realFolder(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root; // the folder is gone: nothing was agreed to there
  }
}
