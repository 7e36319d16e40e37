import { estimateTokens, type LlmMessage } from '@devs/core';
import type { BuiltinFact, ToolAnswer } from '@devs/drivers';

/** State of a conversation, folded from its transcript. */
export interface ConversationState {
  /** Messages for the model: the last compaction, then everything since. */
  readonly messages: readonly LlmMessage[];
  /** Approximate tokens: reported by the provider for the last call, estimated since. */
  readonly tokens: number;
  /** The index of the next turn. */
  readonly turn: number;
  /** Position in the workflow, as its tools name it. */
  readonly node?: string;
  /** Since it was entered, or the summaries were last put in front again. */
  readonly turnsInNode: number;
  /** A call with an unknown outcome. */
  readonly openCall?: { readonly id: string; readonly tool: string };
  readonly compactions: number;
  /** The prompt before was not worked on to its end. */
  readonly isUnfinished: boolean;
}

export const EMPTY_CONVERSATION: ConversationState = {
  messages: [],
  tokens: 0,
  turn: 0,
  turnsInNode: 0,
  compactions: 0,
  isUnfinished: false,
};

/** Pure: the conversation after one more fact. */
export function addFact(state: ConversationState, fact: BuiltinFact): ConversationState {
  switch (fact.type) {
    case 'request':
      return { ...said(state, 'user', fact.text), isUnfinished: true };
    case 'usage':
      return { ...state, tokens: fact.inputTokens };
    case 'envelope':
      return {
        ...said(state, 'assistant', JSON.stringify(fact.envelope)),
        turn: fact.turn + 1,
        turnsInNode: state.turnsInNode + 1,
      };
    case 'call':
      return { ...state, openCall: { id: fact.id, tool: fact.tool } };
    case 'answer': {
      const { openCall: _, ...rest } = said(state, 'user', observationText(fact));
      return rest;
    }
    case 're-injection':
      return { ...state, turnsInNode: 0 };
    case 'node':
      return { ...state, node: fact.node, turnsInNode: 0 };
    case 'compaction':
      return compacted(state, fact);
    case 'state':
      return fact.says === 'idle' ? { ...state, isUnfinished: false } : state;
    default:
      return state;
  }
}

const said = (state: ConversationState, role: LlmMessage['role'], text: string): ConversationState => ({
  ...state,
  messages: [...state.messages, { role, text }],
  tokens: state.tokens + estimateTokens(text),
});

/** Messages that the model has not answered stay unchanged. */
function compacted(
  state: ConversationState,
  { summary, tokensAfter }: Extract<BuiltinFact, { type: 'compaction' }>,
): ConversationState {
  return {
    ...state,
    messages: [{ role: 'user', text: summaryMessage(summary) }, ...unanswered(state)],
    tokens: tokensAfter ?? state.tokens,
    compactions: state.compactions + 1,
  };
}

export function unanswered({ messages }: ConversationState): readonly LlmMessage[] {
  const last = messages.at(-1);
  return last?.role === 'user' ? [last] : [];
}

export const summaryMessage = (summary: string) =>
  `[COMPACTED] This conversation was shortened. What happened in it so far, from its records:\n\n${summary}`;

/** The model's message after an action. Scenarios match on it: the text is an API. */
const observationText = ({ tool, status, output, errorDetail }: Omit<ToolAnswer, 'type' | 'id'>): string =>
  `OBSERVATION ${JSON.stringify({
    tool_name: tool,
    status,
    output,
    ...(errorDetail === undefined ? {} : { error_detail: errorDetail }),
  })}`;
