import type { LlmAnswer } from '@devs/core';

/** A way in which models answer. `document` is the JSON that the model means to say. */
export interface Behaviour {
  readonly first: (document: string) => LlmAnswer;
  /** Asked for the rest of `prefix`; `retry` is true where the last rest could not be used. */
  readonly complete?: (document: string, prefix: string, retry: boolean) => LlmAnswer;
  /** Asked to correct the answer `raw`, given what is wrong with it. */
  readonly correct?: (raw: string, problems: readonly string[]) => LlmAnswer;
}

export const answersWell: Behaviour = { first: whole };

export const wrapsInFence: Behaviour = {
  first: (document) => whole(`Here is my next step:\n\n${fence(document)}\n`),
};

/** Stops after `lastWords`, and continues exactly when asked. */
export const isCutOffBehind = (lastWords: string): Behaviour => ({
  first: (document) => cut(upTo(document, lastWords)),
  complete: (document, prefix) => whole(restOf(document, prefix)),
});

/** Continues in a fence, with a remark before it, and repeats the last `overlapChars`. No stop reason either. */
export const repeatsItselfInFence = (lastWords: string, overlapChars: number): Behaviour => ({
  first: (document) => ({ text: upTo(document, lastWords) }),
  complete: (document, prefix) => {
    const repeated = prefix.slice(-overlapChars);
    return whole(`Sure, here is the rest:\n${fence(`${repeated}${restOf(document, prefix)}`)}`);
  },
});

/** Never writes more than `limitChars` in one answer. */
export const hasOutputLimit = (limitChars: number): Behaviour => {
  const limited = (text: string) => (text.length > limitChars ? cut(text.slice(0, limitChars)) : whole(text));
  return { first: limited, complete: (document, prefix) => limited(restOf(document, prefix)) };
};

/** Calls a field by another name, and renames it to the missing one when told what is wrong. */
export const misnamesField = (right: string, wrong: string): Behaviour => ({
  first: (document) => whole(renameKey(document, right, wrong)),
  correct: (raw, problems) => {
    const unknown = firstMatch(problems, /unknown field (\w+)/);
    const missing = firstMatch(problems, /(\w+): expected .*received undefined/);
    return whole(renameKey(raw, unknown, missing));
  },
});

/** Has forgotten what it was writing. */
export const losesTheThread = (lastWords: string): Behaviour => ({
  first: (document) => cut(upTo(document, lastWords)),
  complete: (_document, _prefix, retry) =>
    whole(
      retry
        ? 'The file has been updated as requested. Is there anything else?'
        : 'I apologize, but I cannot see an earlier answer. What shall I do?',
    ),
});

function whole(text: string): LlmAnswer {
  return { text, stopReason: 'end_turn' };
}

function cut(text: string): LlmAnswer {
  return { text, stopReason: 'max_tokens' };
}

const fence = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

function upTo(document: string, lastWords: string): string {
  const start = document.indexOf(lastWords);
  if (start === -1) throw new Error(`the scene's document does not hold ${lastWords}`);
  return document.slice(0, start + lastWords.length);
}

/** A model can only continue from its own words: a prompt with other words is a fault of the protocol. */
function restOf(document: string, prefix: string): string {
  if (!document.startsWith(prefix)) throw new Error('the prompt shows words that the model never wrote');
  return document.slice(prefix.length);
}

const renameKey = (json: string, from: string, to: string) => json.replace(`"${from}":`, `"${to}":`);

function firstMatch(problems: readonly string[], pattern: RegExp): string {
  const match = problems.map((problem) => pattern.exec(problem)?.[1]).find((found) => found !== undefined);
  if (match === undefined) throw new Error(`the correction prompt names no field: ${problems.join('; ')}`);
  return match;
}
