import {
  type EventLog,
  holderOfRun,
  type OpenedStore,
  openQuestions,
  type Question,
  type RunFacts,
  readRuns,
  runStream,
  TOLD,
} from '@devs/core';
import { Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { jsonOption, storeOption } from '../program/options.js';
import { textOrStdin } from '../program/text-or-stdin.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { calendarOf, relativeTime } from '../time/describe-time.js';
import { describeAnswer, findQuestion, storeAnswer } from './answer-escalation.js';
import { findOtherProject, findOtherProjects } from './other-project.js';
import type { RunServices } from './run-services.js';

const MORE_HELP = `
Without arguments: the questions that are open. With a question, by its id or
its run, and an answer: the agent gets it as your words. The question is open
until the agent's own record shows the answer. A run that is paused continues
with \`devs resume\`.

Examples:
  devs answer
  devs answer 7c1 "Use Euro, and round half up"
  devs answer 7c1 - < decision.md

Exit codes: 0 the agent has it, or gets it later, 1 it did not reach the
agent, or there is no such question, 2 wrong usage.`;

/** Longer than typing and every look into the agent's record take. */
const MAX_MS = 45_000;

export function answerCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('answer')
    .description('Answer a question of a run, or list open questions')
    .argument('[question]', 'its id, or that of its run')
    .argument('[answer...]', 'in your words, or - for what comes in on stdin')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string | undefined, words: readonly string[], _options: unknown, command: Command) => {
      const given = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const isJson = outputMode(given) === 'json';
      if (wanted === undefined) {
        const here = openQuestions(await withExistingStore(services, given, readRuns, () => []));
        const others = here.length > 0 ? [] : await findOtherProjects((runs) => askedOf(runs, ''), given, services);
        const questions = [...here, ...others.flatMap(({ runs }) => openQuestions(runs))];
        if (isJson) services.print(toJson({ questions: questions.map(factsOf) }));
        else services.print(questions.length === 0 ? 'Nothing is open.' : questions.flatMap(describe).join('\n'));
        return done(0);
      }
      const other = await findOtherProject((runs) => askedOf(runs, wanted), given, services);
      const options = other === undefined ? given : { ...given, store: other.location };
      const answer = ((await textOrStdin(words.join(' '), services)) ?? '').trim();
      if (answer === '') throw new UsageError(`missing answer. Example: devs answer ${visible(wanted)} "…".`);
      const { question, isLookedAfter, fate } = await withExistingStore<Answered>(
        services,
        options,
        (opened) => give(opened, wanted, answer, isJson),
        () => ({ question: findQuestion([], wanted), isLookedAfter: false, fate: { kind: 'waiting' } }),
      );
      if (isJson) services.print(toJson({ answered: question.id, run: question.run.id, isLookedAfter, fate }));
      else services.print(sentenceOf(question.run.id, fate, isLookedAfter));
      done(fate.kind === 'typed' || fate.kind === 'not-typed' ? 1 : 0);
    });

  async function give({ store, backend }: OpenedStore, wanted: string, answer: string, isJson: boolean) {
    const question = findQuestion(openQuestions(await readRuns({ store, backend })), wanted);
    const isLookedAfter = (await holderOfRun(store.leases, question.run.id)) !== undefined;
    const after = await storeAnswer(store, question, { answer, mayReplace: !isLookedAfter });
    if (!isLookedAfter) return { question, isLookedAfter, fate: { kind: 'waiting' } } as const;
    if (!isJson) services.warn('devs: stored; waiting for the agent’s own record to show it');
    const fate = await followAnswer(store.log, question, { after, signal: AbortSignal.timeout(MAX_MS) });
    return { question, isLookedAfter, fate };
  }

  function describe(asked: Question): string[] {
    const { id, question, diagnosis, at, run } = asked;
    const { palette } = services.screen;
    const before = describeAnswer(asked);
    return [
      `${palette.title(id)}  run ${run.id}, ${relativeTime(at, calendarOf(services))}`,
      ...question.split('\n').map((line) => `  ${palette.bad(visible(line))}`),
      ...(diagnosis === '' ? [] : diagnosis.split('\n').map((line) => `  ${palette.quiet(visible(line))}`)),
      ...(before === undefined ? [] : before.split('\n').map((line) => `  ${palette.bad(visible(line))}`)),
      ...(asked.answer === undefined ? [`  ${palette.devs(`devs answer ${id} "…"`)}`] : []),
    ];
  }
}

/** Those that ask what is meant. */
const askedOf = (runs: readonly RunFacts[], wanted: string): readonly RunFacts[] =>
  openQuestions(runs)
    .filter(({ id, run }) => id.startsWith(wanted) || run.id.startsWith(wanted))
    .map(({ run }) => run);

interface Answered {
  readonly question: Question;
  readonly isLookedAfter: boolean;
  readonly fate: AnswerFate;
}

function sentenceOf(run: string, fate: AnswerFate, isLookedAfter: boolean): string {
  const open = `The question stays open. Look at the agent with \`devs attach ${run}\`.`;
  switch (fate.kind) {
    case 'seen':
      return `Typed and seen: the agent's own record shows your answer. Run ${run} continues with it.`;
    case 'typed':
      return visible(`Typed and not seen: ${fate.why}. ${open}`);
    case 'not-typed':
      return visible(`Not typed: ${fate.why}. ${open}`);
    case 'settled':
      return visible(`Not needed any more: ${fate.how}.`);
    case 'waiting':
      return isLookedAfter
        ? `Stored and not typed yet. The agent gets your answer when it takes words; until then \`devs answer\` lists the question.`
        : `Stored but not delivered: run ${run} is not supervised. Continue it with \`devs resume ${run}\`.`;
  }
}

const factsOf = ({ id, question, diagnosis, at, run, answer, unseen }: Question) => ({
  id,
  run: run.id,
  question,
  diagnosis,
  at,
  ...(answer === undefined ? {} : { answer }),
  ...(unseen === undefined ? {} : { unseen }),
});

/**
 * The fate of an answer, from the stored events. `seen`: the agent's own record shows it · `typed`: it does not,
 * though the words were typed · `not-typed` · `waiting`: the words are stored, without an attempt so far · `settled`:
 * the question is over without them
 */
type AnswerFate =
  | { readonly kind: 'seen' | 'waiting' }
  | { readonly kind: 'typed' | 'not-typed'; readonly why: string }
  | { readonly kind: 'settled'; readonly how: string };

/** Until it is known, or the signal is aborted. */
async function followAnswer(
  log: Pick<EventLog, 'follow'>,
  { id, run }: Pick<Question, 'id'> & { readonly run: Pick<Question['run'], 'id'> },
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Promise<AnswerFate> {
  for await (const { type, data } of log.follow({ stream: runStream(run.id), after, signal })) {
    if (type === 'run.paused' || type === 'run.finished') break;
    if (data.escalationId !== id) continue;
    if (type === 'escalation.settled')
      return data.how === TOLD ? { kind: 'seen' } : { kind: 'settled', how: String(data.how) };
    if (type === 'escalation.unanswered')
      return { kind: data.isTyped === true ? 'typed' : 'not-typed', why: String(data.why) };
  }
  return { kind: 'waiting' };
}
