import { type RecallResult, readRuns } from '@devs/core';
import type { PassagePlace } from '@devs/store';
import { Command, Option } from 'commander';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import type { Console } from '../screen/console.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import type { StoreServices } from '../store-access/with-store.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { count } from '../words.js';
import type { Recall } from './create-recall.js';
import { toListed } from './to-listed.js';

export interface RecallServices extends Console, StoreServices {
  readonly recall: Recall;
}

const MORE_HELP = `
Searches what was said and done in every conversation of this project: those of
Claude Code, Codex, Gemini CLI, opencode and the built-in agent, in its folder
and in the work trees of its runs, before and after compactions and renewals.
Words match from their beginning, in any case; parseJson also by "json". Secrets
are left out. The index is kept for you alone; \`devs purge\` removes it.

Examples:
  devs recall migration
  devs recall parse json --limit 3
  devs recall manual_commit.go --json

Exit codes: 0 found, 1 nothing found, 2 wrong usage.`;

interface RecallOptions extends StoreOptions {
  readonly limit: number;
  readonly json?: boolean;
}

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

export function recallCommand(services: RecallServices, done: (exitCode: number) => void): Command {
  return new Command('recall')
    .description('Search all conversations of this project')
    .argument('<words...>', 'what to look for: words, names, the end of a path')
    .addOption(
      new Option('--limit <number>', 'the most results')
        .argParser(wholeNumber({ from: 1, to: MAX_LIMIT }))
        .default(DEFAULT_LIMIT),
    )
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<RecallOptions>();
      const { root } = await services.records.here();
      const worktrees = await withExistingStore(
        services,
        options,
        async (opened) => worktreesOf(await readRuns(opened)),
        () => [],
      );
      const found = await services.untilInterrupted((signal) =>
        services.recall({ root, worktrees, query: words.join(' '), limit: options.limit, signal }),
      );
      for (const warning of found.warnings) services.warn(visible(`devs: ${warning}`));
      if (outputMode(options) === 'json')
        services.print(toJson({ results: found.results.map(toListed), conversations: found.conversations }));
      else services.print(render(found.results, found.conversations, words.join(' ')));
      done(found.results.length === 0 ? 1 : 0);
    });
}

const worktreesOf = (runs: Awaited<ReturnType<typeof readRuns>>): readonly string[] =>
  runs.flatMap(({ worktree }) => (worktree === undefined ? [] : [worktree.path]));

function render(results: readonly RecallResult<PassagePlace>[], conversations: number, query: string): string {
  const where = count(conversations, 'conversation');
  if (conversations === 0) return 'No conversations of this project yet.';
  if (results.length === 0) return `Nothing about "${visible(query)}" in ${where}. Try fewer or shorter words.`;
  return results
    .flatMap(renderResult)
    .concat(`${count(results.length, 'result')} from ${where}.`)
    .join('\n');
}

function renderResult({ passage, place, excerpt, also }: RecallResult<PassagePlace>): readonly string[] {
  const { kind, about, at, line } = passage;
  const when = at === undefined ? '' : ` · ${at.slice(0, 16).replace('T', ' ')}`;
  return [
    visible(
      `${kind}${about === undefined ? '' : ` of ${about}`} · ${place.agent}${when} · ${place.transcript}:${line}`,
    ),
    ...excerpt.split('\n').map((text) => `  ${visible(text)}`),
    ...(also.length === 0 ? [] : [`  also: ${visible(also.join(', '))}`]),
    '',
  ];
}
