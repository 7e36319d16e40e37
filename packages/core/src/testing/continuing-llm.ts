import type { CompleteOptions } from '../ports/llm-client.js';
import type { ScriptedLlm } from './scripted-llm.js';

const SHOWN_BEHIND = 'JSON so far:\n';

/**
 * A model with one document in mind. It writes the document for any prompt, and continues exactly when asked to
 * complete a prefix. No answer is longer than `outputLimit`, and a cut-off answer says so.
 */
export function continuingLlm(document: string, outputLimit = Number.POSITIVE_INFINITY): ScriptedLlm {
  const prompts: string[] = [];
  const options: (CompleteOptions | undefined)[] = [];
  return {
    prompts,
    options,
    async complete(prompt, option) {
      prompts.push(prompt);
      options.push(option);
      const at = prompt.indexOf(SHOWN_BEHIND);
      const shown = at === -1 ? '' : prompt.slice(at + SHOWN_BEHIND.length);
      if (!document.startsWith(shown))
        throw new Error('continuingLlm: the prefix is not the beginning of the document');
      const text = document.slice(shown.length, shown.length + outputLimit);
      return { text, stopReason: shown.length + text.length < document.length ? 'max_tokens' : 'end_turn' };
    },
  };
}
