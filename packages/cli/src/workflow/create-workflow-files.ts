import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { ProjectPaths } from '../store-access/create-records.js';
import type { Agreements } from '../trust/agreements.js';
import type { WaitingFile } from '../trust/waiting-file.js';
import { agreeToMade, createWorkflowGate } from '../trust/workflow-gate.js';

interface WorkflowFilesDeps {
  readonly loadTemplates: () => Promise<typeof import('@devs/mcp/templates')>;
  readonly loadStores: () => Promise<Pick<typeof import('@devs/store'), 'prepareProjectStore'>>;
  readonly here: () => Promise<ProjectPaths>;
  /** Where the user stands. */
  readonly folder: string;
  readonly shippedWorkflows: string;
  readonly agreements: Agreements;
}

const SCHEMA = 'schema.json';
/** Read by the YAML plugins of editors; the path counts from the file that it stands in. */
const SCHEMA_LINE = `# yaml-language-server: $schema=./${SCHEMA}\n`;

export function createWorkflowFiles(deps: WorkflowFilesDeps): WorkflowFiles {
  const { folder, shippedWorkflows } = deps;
  const shorten = (path: string) => relative(folder, path);
  /** Shipped files may be far away, and a path with ten `..` helps no one. */
  const shortenInside = (path: string) => (isInside(shorten(path)) ? shorten(path) : path);
  const gate = async () => createWorkflowGate(deps.agreements, (await deps.here()).root);
  return {
    async find() {
      const [{ findTemplates, templateFoldersOf }, { root }] = await Promise.all([deps.loadTemplates(), deps.here()]);
      const folders = templateFoldersOf(root, shippedWorkflows, createWorkflowGate(deps.agreements, root));
      return (await findTemplates(folders)).map(({ gate: _, ignored, ...found }) => ({
        ...found,
        shown: found.origin === 'project' ? shorten(found.path) : shortenInside(found.path),
        ...(ignored === undefined ? {} : { ignored: shorten(ignored) }),
      }));
    },
    read: async ({ path, origin }) => (origin === 'project' ? (await gate()).look(path) : readFile(path, 'utf8')),
    waiting: async (file) => (await gate()).waiting({ ...file, path: resolve(folder, file.path) }),
    async make(name, text): Promise<MadeWorkflow> {
      const [{ prepareProjectStore }, place] = await Promise.all([deps.loadStores(), deps.here()]);
      const own = join(place.root, '.devs', 'workflows');
      const path = join(own, `${name}.yaml`);
      prepareProjectStore(place);
      try {
        await mkdir(own, { recursive: true });
        const schema = await putSchema(join(shippedWorkflows, SCHEMA), join(own, SCHEMA));
        const whole = `${schema === undefined ? '' : SCHEMA_LINE}${text}`;
        await writeFile(path, whole, { flag: 'wx' });
        const file = { root: place.root, path: relative(place.root, path), kind: 'workflow', text: whole } as const;
        await agreeToMade(deps.agreements, file);
        return { name, path, shown: shorten(path), origin: 'project', schema };
      } catch (error) {
        throw unwritable({ path, shown: shorten(path) }, error as NodeJS.ErrnoException);
      }
    },
  };
}

/** Written anew each time: with a newer devs there may be keys that the last one did not know. */
async function putSchema(from: string, to: string): Promise<string | undefined> {
  try {
    await copyFile(from, to);
    return to;
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && syscall === 'copyfile' && path === from) return undefined;
    throw error;
  }
}

const isInside = (path: string) => path !== '' && !path.startsWith('..') && !isAbsolute(path);

const unwritable = ({ path, shown }: { path: string; shown: string }, error: NodeJS.ErrnoException) =>
  new CliError(
    error.code === 'EEXIST' && error.path === path
      ? `${visible(shown)} already exists. Choose another name, or edit it.`
      : `cannot write ${visible(shown)}: ${visible(error.message)}`,
    { cause: error },
  );

/** A workflow file that can be named without its path. */
export interface FoundWorkflow {
  readonly name: string;
  readonly path: string;
  /** The path for people: short where the file is near. */
  readonly shown: string;
  readonly origin: 'project' | 'shipped';
  /** A file of the project that has the same name and does not count, for people. */
  readonly ignored?: string;
}

export interface MadeWorkflow extends FoundWorkflow {
  /** The JSON Schema beside it, for editors; `undefined` where devs came without one. */
  readonly schema: string | undefined;
}

/**
 * The workflow files that this user can name, and the making of new ones.
 *
 * Contract: `find` looks only, and gives a project's own instead of a shipped one of the same name where this user made it.
 * `make` writes a file of the project, never over another one, and rejects with a `CliError` that says why it could not.
 */
export interface WorkflowFiles {
  find(): Promise<readonly FoundWorkflow[]>;
  /** The text, to look at it. */
  read(found: FoundWorkflow): Promise<string>;
  /** The file as waiting for the user's agreement; `undefined` if it counts. */
  waiting(file: {
    readonly path: string;
    readonly shown: string;
    readonly text: string;
  }): Promise<WaitingFile | undefined>;
  make(name: string, text: string): Promise<MadeWorkflow>;
}
