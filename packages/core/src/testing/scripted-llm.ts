import type { CompleteOptions, LlmAnswer, LlmClient } from '../ports/llm-client.js';

export interface ScriptedLlm extends LlmClient {
  readonly prompts: readonly string[];
  readonly options: readonly (CompleteOptions | undefined)[];
}

/** Answers from a list and records its prompts. Running out is a test error; an `Error` in the list is thrown. */
export function scriptedLlm(...answers: readonly (string | LlmAnswer | Error)[]): ScriptedLlm {
  const prompts: string[] = [];
  const options: (CompleteOptions | undefined)[] = [];
  return {
    prompts,
    options,
    async complete(prompt, option) {
      const answer = answers[prompts.length];
      prompts.push(prompt);
      options.push(option);
      if (answer instanceof Error) throw answer;
      if (answer === undefined) throw new Error(`scriptedLlm: no answer for call ${prompts.length}`);
      return answer;
    },
  };
}
