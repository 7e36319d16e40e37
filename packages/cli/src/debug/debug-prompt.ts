import { buildMinimalState, buildPrompt, estimateTokens } from '@devs/core';
import { Command } from 'commander';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { unknownTask } from '../task/task-advice.js';
import type { DebugServices } from './debug-services.js';

const MORE_HELP = `
Exactly what an agent would get. On a terminal, control characters in it are
shown as signs; piped, the text is byte for byte the same.

Examples:
  devs debug prompt fix-login
  devs debug prompt fix-login --context-tokens 500 | wc -c`;

interface PromptOptions extends StoreOptions {
  readonly contextTokens?: number;
  readonly json?: boolean;
}

export function debugPromptCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('prompt')
    .description('Print the prompt for a task')
    .argument('<task>', 'the id of the task')
    .option('--context-tokens <number>', 'what the read-only context may cost', wholeNumber({ from: 1 }))
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<PromptOptions>();
      const { contextTokens } = options;
      const prompt = await withExistingStore(
        services,
        options,
        async ({ store }) => {
          const task = await store.tasks.get(id);
          if (task === undefined) return undefined;
          const state = buildMinimalState(await store.state());
          return buildPrompt(task, state, contextTokens === undefined ? {} : { contextTokens });
        },
        () => undefined,
      );
      if (prompt === undefined) throw unknownTask(id);
      const shown = services.isTerminal ? prompt.split('\n').map(visible).join('\n') : prompt;
      const json = () => toJson({ task_id: id, tokens: estimateTokens(prompt), prompt });
      services.print(outputMode(options) === 'json' ? json() : shown.replace(/\n$/, '')); // `print` ends the line
      done(0);
    });
}
