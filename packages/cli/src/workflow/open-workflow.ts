import { basename } from 'node:path';
import type { WorkflowTemplate } from '@devs/core';
import { CliError } from '../cli-error.js';
import { suggestCommand } from '../program/suggest-command.js';
import { clip } from '../screen/clip.js';
import { visible } from '../screen/visible.js';
import { count } from '../words.js';
import type { FoundWorkflow } from './create-workflow-files.js';
import { readTemplate } from './read-template.js';
import type { WorkflowServices } from './workflow-services.js';

const MAX_NAME_COLUMNS = 100;

/** The error offers the nearest name, and where to find all of them. */
export function unknownWorkflow(name: string, known: readonly FoundWorkflow[]): CliError {
  const near = suggestCommand(
    name,
    known.map((workflow) => workflow.name),
  );
  const meant = near === undefined ? '' : ` Did you mean \`${clip(near, MAX_NAME_COLUMNS)}\`?`;
  return new CliError(
    `there is no workflow ${clip(name, MAX_NAME_COLUMNS)}.${meant} See what there is: \`devs workflow list\`.`,
  );
}

/** The text of a workflow, and where it is from. */
export interface WorkflowText {
  /** How messages call it. */
  readonly shown: string;
  readonly text: string;
  /** Where it was named by its name. */
  readonly found?: FoundWorkflow;
}

type Library = Pick<WorkflowServices, 'readText' | 'workflowFiles'>;

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

export interface LoadedWorkflow extends WorkflowText {
  readonly template: WorkflowTemplate;
}

/** For a command that needs a workflow without problems. */
export async function loadWorkflow(
  reference: string,
  library: Pick<WorkflowServices, 'readText' | 'workflowFiles'>,
): Promise<LoadedWorkflow> {
  const source = await openWorkflow(reference, library);
  const read = await readTemplate(source.text);
  if (read.ok) return { ...source, template: read.template };
  const { problems } = read;
  const first = problems[0];
  const place = first === undefined ? '' : ` Line ${first.line}: ${visible(first.message)}.`;
  throw new CliError(
    `${visible(source.shown)} has ${count(problems.length, 'problem')}.${place} See all: \`devs workflow check ${visible(reference)}\`.`,
  );
}
