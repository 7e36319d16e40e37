import {
  type CompleteOptions,
  ContextRefresher,
  estimateTokens,
  type LlmClient,
  type LlmMessage,
  type LogEvent,
  OrchestratorContextInjector,
  type SaopEnvelope,
  type SummaryProvider,
  TurnExecutor,
  type TurnOutcome,
} from '@devs/core';
import type { UsageOfTurn } from '@devs/drivers';
import type { ConversationState } from '../conversation/conversation-state.js';

export interface TurnTakerOptions {
  readonly llm: LlmClient;
  /** Tokens sent with every call besides the messages. */
  readonly systemTokens: number;
  readonly summaries?: SummaryProvider | undefined;
  readonly reinjectEvery: number;
  /** Of this node, before the process started. */
  readonly turnsInNode: number;
}

export interface TakenTurn {
  readonly outcome: TurnOutcome;
  readonly resumed: boolean;
  readonly corrections: number;
  readonly usage: Omit<UsageOfTurn, 'type' | 'turn' | 'window' | 'model'>;
}

export interface TurnTaker {
  /** The summaries, where they are due: for the next turn only, and never kept. */
  takeReminder(): string | undefined;
  /** The last message is the prompt. Rejects as `TurnExecutor` does. */
  take(state: ConversationState, turn: TurnAsked): Promise<TakenTurn>;
  enterNode(): void;
}

interface TurnAsked {
  readonly conversationId: string;
  readonly reminder: string | undefined;
  readonly signal: AbortSignal;
}

/** Every turn goes through the protocol: cut-off answers are resumed, malformed ones corrected, specs put in front again. */
// REQ: TAS-035
// REQ: 3_MCP-TAS-089
export async function createTurnTaker(options: TurnTakerOptions): Promise<TurnTaker> {
  const { llm, systemTokens, summaries, reinjectEvery } = options;
  const meter = createMeter(llm, systemTokens);
  const refresher = summaries && new NotingRefresher({ threshold: reinjectEvery, summaryProvider: summaries });
  for (let turn = 1; turn <= Math.min(options.turnsInNode, reinjectEvery - 1); turn++) await refresher?.onTurn(turn);
  let log: LogEvent[] = [];
  const executor = new TurnExecutor({
    llmClient: meter,
    logger: { log: (event) => void log.push(event) },
    ...(refresher === undefined ? {} : { contextInjector: new OrchestratorContextInjector(refresher) }),
  });
  return {
    takeReminder: () => refresher?.takeInjected(),
    enterNode: () => refresher?.resetNode(),
    async take({ messages, turn, node = 'none' }, { conversationId, reminder, signal }) {
      log = [];
      meter.reset();
      const prompt = messages.at(-1)?.text ?? '';
      // In front of the newest message: the tail of the conversation, behind all that stays the same.
      const tail: readonly LlmMessage[] = reminder === undefined ? [] : [{ role: 'user', text: reminder }];
      const outcome = await executor.execute(prompt, {
        threadId: conversationId,
        taskId: node,
        agentRole: 'builtin',
        turnIndex: turn,
        signal,
        history: [...messages.slice(0, -1), ...tail],
      });
      const corrected = log.findLast((event) => event.event === 'CORRECTION_SUCCEEDED');
      return {
        outcome: outcome.state === 'COMPLETED' ? { ...outcome, envelope: plain(outcome.envelope, refresher) } : outcome,
        resumed: log.some(({ event }) => event === 'RESUME_SUCCEEDED'),
        corrections: corrected?.corrections ?? 0,
        usage: meter.usage(),
      };
    },
  };
}

/** Remembers its text, so that it can be sent at the end instead of entering the history. */
class NotingRefresher extends ContextRefresher {
  injected: string | undefined;
  #pending: string | undefined;

  override async onTurn(turnIndex: number, signal?: AbortSignal) {
    const result = await super.onTurn(turnIndex, signal);
    this.injected = result.injectedSummary;
    this.#pending = result.injectedSummary ?? this.#pending;
    return result;
  }

  takeInjected(): string | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}

/** As the model wrote it. */
function plain(envelope: SaopEnvelope, refresher: NotingRefresher | undefined): SaopEnvelope {
  const front = `${refresher?.injected}\n\n`;
  const { thought } = envelope;
  if (refresher?.injected === undefined || !thought.reasoning.startsWith(front)) return envelope;
  return { ...envelope, thought: { ...thought, reasoning: thought.reasoning.slice(front.length) } };
}

/** Cost of the calls of one turn: reported by the provider, or estimated. */
function createMeter(llm: LlmClient, systemTokens: number) {
  const none = { inputTokens: 0, outputTokens: 0, calls: 0, totalInputTokens: 0, totalOutputTokens: 0 };
  let usage = { ...none, estimated: false };
  const count = (inputTokens: number, outputTokens: number, estimated: boolean) => {
    usage = {
      inputTokens,
      outputTokens,
      calls: usage.calls + 1,
      totalInputTokens: usage.totalInputTokens + inputTokens,
      totalOutputTokens: usage.totalOutputTokens + outputTokens,
      estimated: usage.estimated || estimated,
    };
  };
  return {
    usage: () => usage,
    reset() {
      usage = { ...none, estimated: false };
    },
    async complete(prompt: string, options?: CompleteOptions) {
      const answer = await (options === undefined ? llm.complete(prompt) : llm.complete(prompt, options));
      const [text, told] = typeof answer === 'string' ? [answer, undefined] : [answer.text, answer.usage];
      if (told !== undefined && told.inputTokens > 0) count(told.inputTokens, told.outputTokens, false);
      else {
        const sent = [...(options?.history ?? []).map((message) => message.text), prompt];
        const input = sent.reduce((sum, part) => sum + estimateTokens(part), systemTokens);
        count(input, estimateTokens(text), true);
      }
      return answer;
    },
  };
}
