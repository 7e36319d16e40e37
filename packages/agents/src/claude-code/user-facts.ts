import type { ConversationFact, JsonObject } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';
import { classifyInput, commandInEcho } from './classify-input.js';
import type { ClaudeCodeMemory } from './create-claude-code-parser.js';
import { taskCreated } from './task-changes.js';
import { toolAnswer, wordsOfRefusal } from './tool-answer.js';

/** A line in the user's place: words of the user, results of tools, or what the program put there. */
export function userFacts(record: JsonObject, memory: ClaudeCodeMemory): readonly ConversationFact[] {
  const content = objectIn(record.message)?.content;
  if (record.isCompactSummary === true) return [{ type: 'summary.written', text: textsOf(content).join('\n') }];
  const isMeta = record.isMeta === true || record.isVisibleInTranscriptOnly === true;
  const said = textsOf(content).flatMap((text) => saidFacts(text, isMeta));
  const answers = listIn(content).flatMap((part) => {
    const block = objectIn(part);
    return block?.type === 'tool_result' ? answerFacts(block, memory) : [];
  });
  return [...answers, ...said];
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
  const words = answer.outcome === 'refused' ? wordsOfRefusal(answer.text) : undefined;
  const creation = memory.createdTasks.get(answer.callId);
  memory.createdTasks.delete(answer.callId);
  const created = creation === undefined ? undefined : taskCreated(creation, answer.text);
  return [
    answer,
    ...(created === undefined ? [] : [created]),
    ...(words === undefined ? [] : [{ type: 'request.made', text: words } as const]),
  ];
}
