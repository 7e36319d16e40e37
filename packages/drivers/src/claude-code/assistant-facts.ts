import type { ConversationFact, JsonObject } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';
import type { ClaudeCodeMemory } from './create-claude-code-parser.js';
import { tasksReplaced, taskUpdated } from './task-changes.js';
import { toolActions } from './tool-actions.js';
import { usageOf } from './usage.js';

/** A line of the agent: one or several parts of an answer of the model. */
export function assistantFacts(record: JsonObject, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  const message = objectIn(record.message) ?? {};
  const facts: ConversationFact[] = [];
  for (const part of listIn(message.content)) facts.push(...partFacts(objectIn(part) ?? {}, memory));
  const messageId = textIn(message.id);
  const usage = messageId === undefined ? undefined : usageOf(message, messageId);
  if (usage === undefined) return facts;
  const { messageId: id, outputTokens } = usage;
  const told = memory.reportedMessages.get(id);
  memory.reportedMessages.set(id, Math.max(outputTokens, told ?? 0));
  if (told === undefined) facts.push(usage);
  else if (outputTokens > told) facts.push({ type: 'usage.grew', messageId: id, outputTokens: outputTokens - told });
  return facts;
}

function partFacts(part: JsonObject, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'note.written', text: textIn(part.text) ?? '' }];
    case 'thinking':
      return [{ type: 'thought.written', text: textIn(part.thinking) ?? '' }];
    case 'tool_use':
      return callFacts(part, memory);
    default:
      return [];
  }
}

function callFacts(part: JsonObject, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  const callId = textIn(part.id) ?? '';
  const tool = textIn(part.name) ?? '';
  const input = objectIn(part.input) ?? {};
  const call: ConversationFact = { type: 'tool.called', callId, tool, input, actions: toolActions(tool, input) };
  if (!tool.startsWith('mcp__')) memory.ownCalls.set(callId, tool);
  if (tool === 'TaskCreate') memory.createdTasks.set(callId, input);
  const change = tool === 'TodoWrite' ? tasksReplaced(input) : tool === 'TaskUpdate' ? taskUpdated(input) : undefined;
  return change === undefined ? [call] : [call, change];
}
