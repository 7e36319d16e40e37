import { foldRun, type OpenEscalation, type RunFacts, runEventOf, runStream, type Store } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { collect, readAll } from '../log/read-newest.js';
import { visible } from '../screen/visible.js';

export interface Question extends OpenEscalation {
  readonly run: RunFacts;
}

/** What only the user can answer, the oldest first. */
export const openQuestions = (runs: readonly RunFacts[]): readonly Question[] =>
  runs
    .flatMap((run) => (run.escalation === undefined ? [] : [{ ...run.escalation, run }]))
    .filter(({ answer }) => answer === undefined)
    .sort((a, b) => a.at - b.at);

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

/** Stores the user's words. Rejects where the question was answered or settled meanwhile. */
export async function storeAnswer({ log }: Pick<Store, 'log'>, { id, run }: Question, answer: string): Promise<void> {
  const stream = runStream(run.id);
  for (;;) {
    const events = await collect(readAll(log, { stream }));
    const open = foldRun(run.id, events).escalation;
    if (open?.id !== id || open.answer !== undefined)
      throw new CliError('it was answered or settled meanwhile. `devs answer` lists what is open.');
    const event = runEventOf({ type: 'escalation.answered', escalationId: id, answer });
    const stored = await log.append(stream, events.length, [event]);
    if (stored.status === 'appended') return;
  }
}
