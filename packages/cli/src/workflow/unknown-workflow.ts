import { CliError } from '../cli-error.js';
import { suggestCommand } from '../program/suggest-command.js';
import { clip } from '../screen/clip.js';
import type { FoundWorkflow } from './workflow-files.js';

const MOST_NAME_COLUMNS = 100;

/** The error offers the nearest name, and where to find all of them. */
export function unknownWorkflow(name: string, known: readonly FoundWorkflow[]): CliError {
  const near = suggestCommand(
    name,
    known.map((workflow) => workflow.name),
  );
  const meant = near === undefined ? '' : ` Did you mean \`${clip(near, MOST_NAME_COLUMNS)}\`?`;
  return new CliError(
    `there is no workflow ${clip(name, MOST_NAME_COLUMNS)}.${meant} See what there is: \`devs workflow list\`.`,
  );
}
