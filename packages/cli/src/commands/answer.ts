import { holderOfRun } from '@devs/core';
import { Command } from 'commander';
import { UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { outputMode } from '../output-mode.js';
import { findQuestion, openQuestions, type Question, storeAnswer } from '../runs/answer-escalation.js';
import { readRuns } from '../runs/read-runs.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { calendarOf } from '../time/calendar-of.js';
import { relativeTime } from '../time/describe-time.js';
import { jsonOption, storeOption } from './options.js';
import { textOrStdin } from './text-or-stdin.js';

const MORE_HELP = `
Without arguments: the questions that are open. With a question, by its id or
its run, and an answer: the agent gets it as your words. A run that is paused
goes on with \`devs resume\`.

Examples:
  devs answer
  devs answer 7c1 "Use Euro, and round half up"
  devs answer 7c1 - < decision.md

Exit codes: 0 done, 1 no such question, 2 wrong usage.`;

export function answerCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('answer')
    .description('Answer what a run asks you, or list what is open')
    .argument('[question]', 'its id, or that of its run')
    .argument('[answer...]', 'in your words, or - for what comes in on stdin')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string | undefined, words: readonly string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const isJson = outputMode(options) === 'json';
      if (wanted === undefined) {
        const questions = openQuestions(await withExistingStore(services, options, readRuns, () => []));
        if (isJson) services.print(toJson({ questions: questions.map(factsOf) }));
        else services.print(questions.length === 0 ? 'Nothing is open.' : questions.flatMap(describe).join('\n'));
        return done(0);
      }
      const answer = ((await textOrStdin(words.join(' '), services)) ?? '').trim();
      if (answer === '') throw new UsageError(`what is your answer? Say it: devs answer ${visible(wanted)} "…".`);
      const { question, isLookedAfter } = await withExistingStore(
        services,
        options,
        async (opened) => {
          const question = findQuestion(openQuestions(await readRuns(opened)), wanted);
          await storeAnswer(opened.store, question, answer);
          const lease = await holderOfRun(opened.store.leases, question.run.id);
          return { question, isLookedAfter: lease !== undefined };
        },
        () => ({ question: findQuestion([], wanted), isLookedAfter: false }),
      );
      if (isJson) services.print(toJson({ answered: question.id, run: question.run.id, isLookedAfter }));
      else
        services.print(
          isLookedAfter
            ? `Answered. Run ${question.run.id} goes on with it.`
            : `Answered. Nobody looks after run ${question.run.id}: go on with \`devs resume ${question.run.id}\`.`,
        );
      done(0);
    });

  function describe({ id, question, diagnosis, at, run }: Question): string[] {
    const { palette } = services.screen;
    return [
      `${palette.title(id)}  run ${run.id}, ${relativeTime(at, calendarOf(services))}`,
      ...question.split('\n').map((line) => `  ${palette.bad(visible(line))}`),
      ...(diagnosis === '' ? [] : diagnosis.split('\n').map((line) => `  ${palette.quiet(visible(line))}`)),
      `  ${palette.devs(`devs answer ${id} "…"`)}`,
    ];
  }
}

const factsOf = ({ id, question, diagnosis, at, run }: Question) => ({ id, run: run.id, question, diagnosis, at });
