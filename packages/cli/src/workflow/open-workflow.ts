import { basename } from 'node:path';
import { CliError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { unknownWorkflow } from './unknown-workflow.js';
import type { FoundWorkflow } from './workflow-files.js';

/** The text of a workflow, and where it is from. */
export interface WorkflowText {
  /** How messages call it. */
  readonly shown: string;
  readonly text: string;
  /** Where it was named by its name. */
  readonly found?: FoundWorkflow;
}

type Library = Pick<Services, 'readText' | 'workflowFiles'>;

/** What the user named: `-` for stdin, a file where it looks like a path, else a workflow by its name. */
export async function openWorkflow(reference: string, library: Library): Promise<WorkflowText> {
  if (reference === '-') return { shown: '<stdin>', text: await library.readText(undefined) };
  if (/[\\/]|\.ya?ml$/i.test(reference)) return { shown: reference, text: await readFile(reference, library) };
  const known = await library.workflowFiles.find();
  const found = known.find(({ name }) => name === reference);
  if (found === undefined) throw unknownWorkflow(reference, known);
  return { shown: found.shown, text: await library.workflowFiles.read(found), found };
}

/** Who writes `feature.yaml` in the wrong folder most likely means the workflow `feature`. */
async function readFile(path: string, { readText, workflowFiles }: Library): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    const isMissing =
      error instanceof CliError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    if (!isMissing) throw error;
    const stem = basename(path).replace(/\.ya?ml$/i, '');
    const isKnown = (await workflowFiles.find()).some(({ name }) => name === stem);
    throw isKnown ? new CliError(`there is no file ${path}. Did you mean the workflow \`${stem}\`?`) : error;
  }
}
