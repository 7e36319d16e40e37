import type { ConversationFact, JsonObject } from '@devs/core';
import { listIn, numberIn, objectIn, textIn } from '../reading/json.js';
import { taskStatusOf } from '../reading/task-status.js';
import type { GeminiMemory } from './gemini-memory.js';
import { toolActions } from './tool-actions.js';
import { toolAnswer } from './tool-answer.js';

/** An answer of the model: written at first, and written again when its tools are done. */
export function modelFacts(
  message: JsonObject,
  memory: GeminiMemory,
  { restated }: { readonly restated: boolean },
): readonly ConversationFact[] {
  const id = textIn(message.id) ?? '';
  return [
    ...memory.describe({ model: textIn(message.model) }),
    ...(memory.isNew('note', id) ? saidFacts(message, memory, restated) : []),
    ...usageFacts(message, id, memory),
    ...listIn(message.toolCalls).flatMap((call) => callFacts(objectIn(call) ?? {}, memory)),
  ];
}

function saidFacts(message: JsonObject, memory: GeminiMemory, restated: boolean): readonly ConversationFact[] {
  const text = saidIn(message.content);
  const isUntold = memory.isNewText('note', text) || !restated;
  if (text !== '' && !isUntold) return [];
  const thoughts = listIn(message.thoughts).flatMap((entry): readonly ConversationFact[] => {
    const { subject, description } = objectIn(entry) ?? {};
    const thought = [subject, description].filter((part) => typeof part === 'string' && part !== '').join('\n');
    return thought === '' ? [] : [{ type: 'thought.written', text: thought }];
  });
  return text === '' || text === ANSWER_TO_SNAPSHOT ? thoughts : [...thoughts, { type: 'note.written', text }];
}

/** The program answers its own summary in the model's name. */
const ANSWER_TO_SNAPSHOT = 'Got it. Thanks for the additional context!';

function saidIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return listIn(content)
    .map((part) => objectIn(part) ?? {})
    .filter((part) => part.thought !== true)
    .map((part) => textIn(part.text) ?? '')
    .join('');
}

function usageFacts(message: JsonObject, id: string, memory: GeminiMemory): readonly ConversationFact[] {
  const tokens = objectIn(message.tokens);
  const input = numberIn(tokens?.input);
  if (tokens === undefined || input === undefined || !memory.isNew('usage', id)) return [];
  return [
    {
      type: 'usage.reported',
      messageId: id,
      inputTokens: input, // with what came from the cache
      outputTokens: (numberIn(tokens.output) ?? 0) + (numberIn(tokens.thoughts) ?? 0),
      cachedTokens: numberIn(tokens.cached) ?? 0,
    },
  ];
}

function callFacts(call: JsonObject, memory: GeminiMemory): readonly ConversationFact[] {
  const callId = textIn(call.id) ?? '';
  const tool = textIn(call.name) ?? '';
  const input = objectIn(call.args) ?? {};
  const answer = toolAnswer(call);
  return [
    ...(memory.isNew('call', callId) ? calledFacts({ callId, tool, input, folder: memory.folder() }) : []),
    ...(answer !== undefined && memory.isNew('answer', callId) ? [answer] : []),
  ];
}

function calledFacts(call: {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly folder: string | undefined;
}): readonly ConversationFact[] {
  const { callId, tool, input, folder } = call;
  const actions = toolActions(tool, input, folder);
  const called: ConversationFact = { type: 'tool.called', callId, tool, input, actions };
  if (tool !== 'write_todos' || !Array.isArray(input.todos)) return [called];
  const tasks = listIn(input.todos).flatMap((todo) => {
    const { description, status } = objectIn(todo) ?? {};
    return typeof description === 'string' ? [{ title: description, status: taskStatusOf(status) }] : [];
  });
  return [called, { type: 'tasks.replaced', tasks }];
}
