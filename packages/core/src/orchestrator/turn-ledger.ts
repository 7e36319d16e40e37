import type { CompleteOptions, LlmAnswer, LlmClient } from '../ports/llm-client.js';
import { asAnswer, callTokens } from '../protocol/model-answer.js';

/** One call to the model within a turn. */
export interface TurnCall {
  readonly prompt: string;
  /** The model's answer; empty if the call failed. */
  readonly text: string;
  readonly stopReason?: string | undefined;
}

export interface TurnCost {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True where the client did not report the usage of every call, and some of the numbers are estimates. */
  readonly estimated: boolean;
}

/** A model client that records the calls of one turn, with their cost. */
export interface TurnLedger extends LlmClient {
  readonly calls: readonly TurnCall[];
  cost(): TurnCost;
}

export function createTurnLedger(llmClient: LlmClient): TurnLedger {
  const calls: TurnCall[] = [];
  let inputTokens = 0;
  let outputTokens = 0;
  let estimated = false;

  const record = (prompt: string, options: CompleteOptions | undefined, answer: Partial<LlmAnswer>) => {
    calls.push({
      prompt,
      text: answer.text ?? '',
      ...(answer.stopReason !== undefined && { stopReason: answer.stopReason }),
    });
    const tokens = callTokens(prompt, options?.history, answer);
    inputTokens += tokens.inputTokens;
    outputTokens += tokens.outputTokens;
    estimated ||= tokens.estimated;
  };

  return {
    calls,
    cost: () => ({ calls: calls.length, inputTokens, outputTokens, estimated }),
    async complete(prompt: string, options?: CompleteOptions) {
      try {
        const answer = asAnswer(
          await (options === undefined ? llmClient.complete(prompt) : llmClient.complete(prompt, options)),
        );
        record(prompt, options, answer);
        return answer;
      } catch (error) {
        record(prompt, options, {});
        throw error;
      }
    },
  };
}
