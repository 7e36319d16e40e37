import type { JsonObject, Tool } from '../tool.js';

/**
 * A client that timed out sends its request again, and then must hear of the context action that the first answer was about:
 * the same request right behind it gets the same answer, once. Those that tell where the workflow stands are left alone: they
 * are how an agent comes back after it has done what it was asked.
 */
export function answerRepeats<Context>(tools: readonly Tool<Context>[]): readonly Tool<Context>[] {
  let last: { readonly request: string; readonly answer: JsonObject } | undefined;
  return tools.map((tool) => ({
    ...tool,
    async call(rawArguments, call) {
      const request = JSON.stringify([tool.name, rawArguments]);
      const before = last;
      last = undefined;
      if (before?.request === request && before.answer['contextAction'] !== undefined) return before.answer;
      const answer = await tool.call(rawArguments, call);
      if (answer['contextAction'] !== undefined && !tool.annotations.readOnlyHint && tool.name !== 'workflow_start')
        last = { request, answer };
      return answer;
    },
  }));
}
