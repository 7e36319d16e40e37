import type { ConversationFact } from '@devs/core';
import { createOpencodeParser } from '../create-opencode-parser.js';

/** Records as opencode 1.18.33 keeps them, reduced to the relevant parts. */
export const USER = { role: 'user', time: { created: 1_000 }, agent: 'build' };
export const ASSISTANT = {
  role: 'assistant',
  time: { created: 2_000 },
  path: { cwd: '/project', root: '/project' },
  modelID: 'small',
};

export const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
export const finished = (words: string, type = 'text') => ({ type, text: words, time: { start: 2_500, end: 3_000 } });
export const tool = (name: string, state: object) => ({ type: 'tool', tool: name, callID: 'call-1', state });
export const completed = (input: object, output = '', metadata: object = {}) => ({
  status: 'completed',
  input,
  output,
  metadata,
  time: { start: 2_600, end: 2_900 },
});

let records = 0;
export const record = (message: object, part?: object, more: object = {}) => ({
  id: `prt_${++records}`,
  message,
  part,
  ...more,
});

export function read(...lines: readonly (object | string)[]) {
  const parser = createOpencodeParser();
  const events = lines.flatMap((line, index) =>
    parser.parseLine(typeof line === 'string' ? line : JSON.stringify(line), { line: index + 1, byteOffset: 0 }),
  );
  const facts = events.map(({ from: _, ...fact }): ConversationFact => fact);
  return { events, facts: facts.filter((fact) => fact.type !== 'conversation.described'), tally: parser.tally() };
}
