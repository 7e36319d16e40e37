import type { JsonObject, ToolAction } from '@devs/core';
import { listIn, objectIn, textIn } from './json.js';

/** Questions to the user, from a tool that takes a list of them. */
export const askedQuestions = ({ questions }: JsonObject): readonly ToolAction[] =>
  listIn(questions).flatMap((entry) => {
    const question = textIn(objectIn(entry)?.question);
    return question === undefined ? [] : [{ kind: 'question', text: question }];
  });
