import type { CompleteOptions, LlmAnswer, LlmClient } from '../ports/llm-client.js';
import { asAnswer } from './as-answer.js';
import type { TurnContext } from './turn-context.js';
import { untilAborted } from './until-aborted.js';

/** One question to the model within a turn. Rejects with the signal's reason when the turn is aborted. */
export async function askModel(llmClient: LlmClient, prompt: string, context: TurnContext): Promise<LlmAnswer> {
  context.signal?.throwIfAborted();
  const options = optionsOf(context);
  const call = options === undefined ? llmClient.complete(prompt) : llmClient.complete(prompt, options);
  return asAnswer(await untilAborted(call, context.signal));
}

function optionsOf({ signal, history }: TurnContext): CompleteOptions | undefined {
  if (signal === undefined && history === undefined) return undefined;
  return { ...(signal && { signal }), ...(history && { history }) };
}
