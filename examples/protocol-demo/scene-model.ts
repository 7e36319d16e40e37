import type { CompleteOptions, LlmAnswer, LlmClient } from '@devs/core';
import type { Scene } from './scenes.js';

const RESUME = /^(Your last completion[^\n]*\n)?Complete the following SAOP JSON [^\n]*JSON so far:\n([\s\S]*)$/;
const CORRECTION = /Problems:\n((?:- .*\n)+)[\s\S]*Your answer was [^\n]*\n([\s\S]*)$/;

/**
 * A model that plays the scenes. Its answers depend only on its input: the scene is found by the prompt at the
 * beginning of the exchange, the place to continue by the text in a follow-up question.
 */
export function createSceneModel(scenes: readonly Scene[]): LlmClient {
  return {
    async complete(prompt, options) {
      const opening = firstPrompt(prompt, options);
      const scene = scenes.find((candidate) => candidate.prompt === opening);
      if (scene === undefined) throw new Error('the scripted model knows no scene that begins with this prompt');
      return answer(scene, prompt);
    },
  };
}

const firstPrompt = (prompt: string, options: CompleteOptions | undefined) => options?.history?.at(0)?.text ?? prompt;

function answer({ prompt: opening, meant, behaviour }: Scene, prompt: string): LlmAnswer {
  const document = JSON.stringify(meant);
  if (prompt === opening) return behaviour.first(document);

  const [, retry, prefix] = RESUME.exec(prompt) ?? [];
  if (prefix !== undefined && behaviour.complete) return behaviour.complete(document, prefix, retry !== undefined);

  const [, problems, raw] = CORRECTION.exec(prompt) ?? [];
  if (raw !== undefined && problems !== undefined && behaviour.correct) {
    return behaviour.correct(raw, problems.trimEnd().split('\n'));
  }
  throw new Error(`the scripted model was not meant to be asked: ${prompt.slice(0, 100)}`);
}
