import type { JsonObject, ToolAction } from '@devs/core';
import { listIn, objectIn, textIn } from './json.js';

/** What the user is asked by a tool that takes a list of questions. */
export const askedQuestions = ({ questions }: JsonObject): readonly ToolAction[] =>
  listIn(questions).flatMap((entry) => {
    const question = textIn(objectIn(entry)?.question);
    return question === undefined ? [] : [{ kind: 'question', text: question }];
  });
