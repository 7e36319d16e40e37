import { ApiError, type Output } from '@devs/api';
import {
  answerQuestion,
  holderOfRun,
  type OpenedStore,
  openQuestions,
  type Question,
  readRuns,
  reportRun,
} from '@devs/core';
import type { Handlers } from '../served-supervisor.js';
import { type FoundRun, forEachProject, withRun } from './find-run.js';
import type { OpenStores } from './open-stores.js';
import { historyOf, notFound, questionOf } from './run-handlers.js';

type QuestionName = 'runs.answer' | 'questions.list' | 'questions.answer' | 'handoffs.list' | 'handoffs.get';

export const createQuestionHandlers = (stores: OpenStores): Pick<Handlers, QuestionName> => ({
  'runs.answer': ({ answer, ...input }) =>
    withRun(stores, input, async (found) => {
      const [question] = openQuestions([found.run]);
      if (question === undefined) throw new ApiError('conflict', `run ${found.run.id} asks nothing`);
      return give(found, question, answer);
    }),
  async 'questions.list'({ project }) {
    const questions = await forEachProject(stores, project, async (opened, root) =>
      openQuestions(await readRuns(opened)).map((question) => questionOf(question, root)),
    );
    return { questions: [...questions].sort((a, b) => a.at - b.at) };
  },
  async 'questions.answer'({ question: id, project, answer }) {
    const given = await forEachProject(stores, project, async (opened) => {
      const question = openQuestions(await readRuns(opened)).find((open) => open.id === id);
      return question === undefined ? [] : [await give(opened, question, answer)];
    });
    const [first] = given;
    if (first === undefined) throw notFound(`open question ${id}`);
    return first;
  },
  'handoffs.list': (input) =>
    withRun(stores, input, async (found) => ({ handoffs: (await handoffsOf(found)).map(withoutText) })),
  'handoffs.get': ({ number, ...input }) =>
    withRun(stores, input, async (found) => {
      const handoff = (await handoffsOf(found)).find((known) => known.number === number);
      if (handoff === undefined) throw notFound(`handoff ${number} in run ${found.run.id}`);
      return handoff;
    }),
});

async function give({ store }: OpenedStore, question: Question, answer: string): Promise<Output<'runs.answer'>> {
  const isSupervised = (await holderOfRun(store.leases, question.run.id)) !== undefined;
  const stored = await answerQuestion(store.log, question, { answer, mayReplace: !isSupervised });
  if (stored.status === 'settled') throw new ApiError('conflict', 'the question is settled meanwhile');
  if (stored.status === 'on-its-way') throw new ApiError('conflict', 'another answer is on its way to the agent');
  return { status: 'answered', question: question.id, run: question.run.id };
}

type Handoff = Output<'handoffs.get'>;

async function handoffsOf(found: FoundRun): Promise<readonly Handoff[]> {
  const history = await historyOf(found);
  return reportRun(history).renewals.flatMap(({ at, terminal, cause, document }, index) => {
    if (document === undefined) return [];
    const stored = history.terminals.get(terminal)?.find(({ position }) => position === document.position);
    const text = String(stored?.data.document ?? '');
    const { position, characters } = document;
    return [{ run: found.run.id, number: index + 1, at, terminal, cause, characters, position, text }];
  });
}

function withoutText({ text: _, ...handoff }: Handoff): Output<'handoffs.list'>['handoffs'][number] {
  return handoff;
}
