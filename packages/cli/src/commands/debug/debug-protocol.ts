import { Command } from 'commander';
import type { Services } from '../../compose.js';
import { outputMode } from '../../output-mode.js';
import { runShow } from '../../protocol-show/run-show.js';
import { SCENES } from '../../protocol-show/scenes.js';

const MORE_HELP = `
A scripted model answers well, in a fence, cut off and malformed; the protocol
that deals with it is the real one. Needs no network and no API key.

Examples:
  devs debug protocol
  devs debug protocol --json | head -3

Exit codes: 0 every answer came out as the model meant it, 1 one did not,
2 wrong usage.`;

export function debugProtocolCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('protocol')
    .description('Show how broken answers of a model are rescued')
    .option('--json', 'print one JSON object for each event')
    .addHelpText('after', MORE_HELP)
    .action(async (options: { json?: boolean }) => {
      const report = await services.createReporter(outputMode(options));
      const { problems } = await runShow({ scenes: SCENES, model: services.scriptedModel, report });
      for (const problem of problems) services.complain(`devs: ${problem}`);
      done(problems.length === 0 ? 0 : 1);
    });
}
