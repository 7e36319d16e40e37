import { CliError } from '../cli-error.js';
import { clip } from '../screen/clip.js';

const MOST_ID_COLUMNS = 100;

export const unknownTask = (id: string): CliError =>
  new CliError(`there is no task ${clip(id, MOST_ID_COLUMNS)}. See what there is: \`devs task list --all\`.`);
