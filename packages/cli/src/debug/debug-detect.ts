import { Command } from 'commander';
import { outputMode } from '../screen/output-mode.js';
import type { DebugServices } from './debug-services.js';
import { examine } from './detect/examine.js';
import { renderExamination } from './detect/render-examination.js';

const MORE_HELP = `
Says whether the text is complete, cut off (in what, and where it can be taken
up again), malformed (where) or holds no JSON; whether it is a valid SAOP
envelope, and which field is wrong. At most 100 MB of UTF-8.

Examples:
  devs debug detect answer.txt
  echo '{"plan": ["read", "wr' | devs debug detect
  echo '{"turns": 1' | devs debug detect --stop-reason max_tokens --json

Exit codes: 0 any text that could be examined, 1 it could not be
read, 2 wrong usage.`;

interface DetectOptions {
  readonly json?: boolean;
  readonly stopReason?: string;
}

export function debugDetectCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('detect')
    .description("Examine a model's answer: complete, cut off or malformed")
    .argument('[file]', 'the text to examine; stdin where it is left out or `-`')
    .option('--stop-reason <reason>', 'why the provider says the answer ended: max_tokens, length, end_turn, …')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', MORE_HELP)
    .action(async (file: string | undefined, options: DetectOptions) => {
      const text = await services.readText(file === '-' ? undefined : file);
      const examination = examine(text, options.stopReason);
      const asText = () => renderExamination(examination, services.screen).join('\n');
      services.print(outputMode(options) === 'json' ? JSON.stringify(examination) : asText());
      done(0);
    });
}
