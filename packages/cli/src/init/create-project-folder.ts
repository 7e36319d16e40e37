import { existsSync, realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeProject } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError } from '../cli-error.js';
import { refuseUnwritable } from '../files/refuse-unwritable.js';
import { adviceForSystemError } from '../files/system-error.js';
import { findSpecFiles } from '../run/find-spec-files.js';
import { projectTexts } from '../run/project-texts.js';
import { visible } from '../screen/visible.js';
import type { ProjectPlace } from '../store-access/records.js';
import type { Agreements } from '../trust/agreements.js';
import { agreeToMade } from '../trust/workflow-gate.js';
import { guessCommands } from './guess-commands.js';
import type { ProjectFolder } from './project-look.js';

interface ProjectFolderDeps {
  readonly here: () => Promise<ProjectPlace>;
  readonly loadStores: () => Promise<Pick<typeof import('@devs/store'), 'prepareProjectStore' | 'isGitPlace'>>;
  /** Whether anything is committed in this repository. */
  readonly hasCommit: (root: string) => Promise<boolean>;
  readonly agreements: Agreements;
}

/**
 * Files that git usually ignores and the work needs, including the user's permissions and instructions for this
 * project.
 */
const OWN_FILES = [
  '.env',
  '.env.local',
  '.env.development',
  '.env.test',
  '.claude/settings.local.json',
  'CLAUDE.local.md',
];

export function createProjectFolder({ here, loadStores, agreements, hasCommit }: ProjectFolderDeps): ProjectFolder {
  return {
    async look() {
      const { root } = await here();
      const isRepository = (await loadStores()).isGitPlace(root);
      const has = (name: string) => existsSync(join(root, name));
      return {
        root,
        isRepository,
        hasCommit: isRepository && (await hasCommit(root)),
        specs: findSpecFiles(root, {}),
        ...guessCommands({ has, read: (name) => readOrNothing(root, name) }),
        ownFiles: OWN_FILES.filter(has),
      };
    },
    async describe() {
      const root = realpathSync((await here()).root);
      return describeProject(projectTexts(root, findSpecFiles(root, {})));
    },
    exists: async (path) => existsSync(join((await here()).root, path)),
    async write({ path, kind, text }) {
      const place = await here();
      const file = join(place.root, path);
      refuseUnwritable(dirname(file));
      try {
        (await loadStores()).prepareProjectStore(place);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text, { flag: 'wx' });
        await agreeToMade(agreements, { root: place.root, path, kind, text });
        return true;
      } catch (error) {
        const { code, message, path: at } = error as NodeJS.ErrnoException;
        if (code === 'EEXIST' && at === file) return false;
        const advice = adviceForSystemError(error) ?? visible(message);
        throw new CliError(`cannot write ${visible(path)}: ${advice}`, { cause: error });
      }
    },
  };
}

function readOrNothing(root: string, name: string): string {
  const found = readProjectFile(root, name);
  return found.status === 'read' ? found.text : '';
}
