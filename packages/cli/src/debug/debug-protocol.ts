import { Command } from 'commander';
import type { Checkout } from '../checkout.js';
import { jsonOption } from '../program/options.js';
import type { DebugServices } from './debug-services.js';

const MORE_HELP = `
A scripted model answers well, in a fence, cut off and malformed; the protocol
that deals with it is the real one. Needs no network and no API key.

Examples:
  devs debug protocol
  devs debug protocol --json | head -3

Exit codes: 0 every answer came out as the model meant it, 1 one did not,
2 wrong usage.`;

export function debugProtocolCommand(
  services: DebugServices,
  done: (exitCode: number) => void,
  { protocolDemo }: Checkout,
): Command {
  return new Command('protocol')
    .description('Show how broken answers of a model are rescued')
    .addOption(jsonOption('print one JSON object for each event'))
    .addHelpText('after', MORE_HELP)
    .action(async (options: { json?: boolean }) => {
      done(await services.runProgram([protocolDemo, ...(options.json === true ? ['--json'] : [])]));
    });
}
