import { CliError } from '../../cli-error.js';

/** A terminal with this name already exists. */
export class NameTakenError extends CliError {
  constructor(name: string) {
    super(`a terminal "${name}" runs already. Go to it with \`devs attach ${name}\`, or choose another --name.`);
  }
}
