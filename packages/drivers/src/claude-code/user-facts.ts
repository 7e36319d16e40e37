import type { ConversationFact, JsonObject, ToolAnswered } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';
import { classifyInput, commandInEcho } from './classify-input.js';
import type { ClaudeCodeMemory } from './create-claude-code-parser.js';
import type { HeldBackResult } from './hold-back-result.js';
import { taskCreated } from './task-changes.js';
import { toolAnswer, wordsOfRefusal } from './tool-answer.js';

/** A line in the user's name: their own words, results of tools, or additions of the program. */
export function userFacts(record: JsonObject, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  const content = objectIn(record.message)?.content;
  if (record.isCompactSummary === true) return [{ type: 'summary.written', text: textsOf(content).join('\n') }];
  const isMeta = record.isMeta === true || record.isVisibleInTranscriptOnly === true;
  const facts: ConversationFact[] = [];
  for (const part of listIn(content)) {
    const block = objectIn(part);
    if (block?.type === 'tool_result') facts.push(...answerFacts(block, memory));
  }
  for (const text of textsOf(content)) facts.push(...saidFacts(text, isMeta));
  return facts;
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return listIn(content).flatMap((part) => {
    const block = objectIn(part);
    const text = block?.type === 'text' ? textIn(block.text) : undefined;
    return text === undefined ? [] : [text];
  });
}

function saidFacts(text: string, isMeta: boolean): readonly ConversationFact[] {
  const fact = classifyInput(text, { isMeta });
  if (fact.type !== 'input.noted' || fact.kind !== 'command') return [fact];
  const command = commandInEcho(text);
  if (command?.name === '/clear') return [fact, { type: 'context.cleared' }];
  // `/review the tests of the parser` is a wish in the user's own words; `/compact` is housekeeping.
  if (command === undefined || HOUSEKEEPING.has(command.name)) return [fact];
  return [fact, { type: 'request.made', text: `${command.name} ${command.args}`.trim() }];
}

const HOUSEKEEPING = new Set([
  '/compact',
  '/config',
  '/context',
  '/cost',
  '/exit',
  '/help',
  '/ide',
  '/login',
  '/logout',
  '/mcp',
  '/model',
  '/permissions',
  '/plugin',
  '/quit',
  '/resume',
  '/rewind',
  '/status',
  '/usage',
  '/vim',
]);

function answerFacts(block: JsonObject, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  const answer = toolAnswer(block);
  const refusing = memory.ownCalls.get(answer.callId);
  memory.ownCalls.delete(answer.callId);
  const facts: readonly ConversationFact[] = [
    answer,
    ...createdTask(answer, memory),
    ...approvedPlan(answer, refusing),
  ];
  // A foreign tool could write the same, and would speak in the user's name (S6).
  if (answer.outcome !== 'refused' || refusing === undefined) return facts;
  const words = wordsOfRefusal(answer.text);
  return words === undefined ? facts : [...facts, { type: 'request.made', text: words, refusing }];
}

/** A result without an error, whose text is read on demand. */
export function heldAnswerFacts(held: HeldBackResult, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  const tool = memory.ownCalls.get(held.callId);
  memory.ownCalls.delete(held.callId);
  const answer: ToolAnswered = {
    type: 'tool.answered',
    callId: held.callId,
    get text() {
      return held.text();
    },
    textBytes: held.bytes,
    outcome: 'ok',
  };
  return [answer, ...createdTask(answer, memory), ...approvedPlan(answer, tool)];
}

/** The answer to the plan repeats it where the user approves it: newer versions keep the plan in a file. */
function approvedPlan(answer: ToolAnswered, tool: string | undefined): readonly ConversationFact[] {
  if (tool !== 'ExitPlanMode' || answer.outcome !== 'ok') return [];
  const text = /^## Approved Plan\b[^\n]*\n([\s\S]+)$/m.exec(answer.text)?.[1]?.trim();
  return text === undefined || text === '' ? [] : [{ type: 'plan.approved', text }];
}

function createdTask(answer: ToolAnswered, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  const creation = memory.createdTasks.get(answer.callId);
  if (creation === undefined) return [];
  memory.createdTasks.delete(answer.callId);
  const created = taskCreated(creation, answer.text);
  return created === undefined ? [] : [created];
}
