import { answerQuestion, type Question, type Store } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';

/** What the user should know of an answer that was given before; nothing where there is none. */
export function describeAnswer({ answer, unseen, run }: Question): string | undefined {
  if (answer !== undefined && run.phase.kind === 'paused')
    return `Your answer is stored, and \`devs resume ${run.id}\` brings it to the agent: ${answer}`;
  if (answer !== undefined) return `Your answer is on its way to the agent: ${answer}`;
  if (unseen === undefined) return undefined;
  const what = unseen.isTyped ? 'Your answer was typed and not seen' : 'Your answer was not typed';
  return `${what}: ${unseen.why}. You said: ${unseen.answer}`;
}

/** The question that is meant: by its id, by its run, or by a beginning of either that no other has. */
export function findQuestion(questions: readonly Question[], wanted: string): Question {
  const namesOf = ({ id, run }: Question) => [id, run.id, ...(run.begun === undefined ? [] : [run.begun.terminal])];
  const exact = questions.find((question) => namesOf(question).includes(wanted));
  if (exact !== undefined) return exact;
  const beginning = questions.filter((question) => namesOf(question).some((name) => name.startsWith(wanted)));
  if (beginning.length > 1) {
    const ids = beginning.map(({ id }) => id).join(', ');
    throw new UsageError(`"${visible(wanted)}" can be ${ids}. Type more of it.`);
  }
  if (beginning[0] !== undefined) return beginning[0];
  const there = questions.map(({ id }) => id).join(', ');
  throw new CliError(
    `there is no open question "${visible(wanted)}". ${there === '' ? 'None is open.' : `There is: ${there}.`}`,
  );
}

/**
 * Stores the user's words, and returns their position. Rejects if the question is settled, and if other words are on
 * their way: `mayReplace` says that those are not being delivered.
 */
export async function storeAnswer(
  { log }: Pick<Store, 'log'>,
  question: Question,
  words: { readonly answer: string; readonly mayReplace: boolean },
): Promise<number> {
  const stored = await answerQuestion(log, question, words);
  switch (stored.status) {
    case 'stored':
      return stored.position;
    case 'settled':
      throw new CliError('it is already settled. `devs answer` lists open questions.');
    case 'on-its-way':
      throw new CliError('another answer is on its way to the agent. `devs answer` shows what became of it.');
  }
}
