import { CliError } from '../../cli-error.js';

/** Somebody else has a terminal under this name. */
export class NameTakenError extends CliError {
  constructor(name: string) {
    super(`a terminal "${name}" runs already. Go to it with \`devs attach ${name}\`, or choose another --name.`);
  }
}
