import type { ConversationFact, JsonObject, ToolAnswered } from '@devs/core';
import { listIn, numberIn, objectIn, textIn } from '../reading/json.js';
import { taskStatusOf } from '../reading/task-status.js';
import type { OpencodePart } from './part-facts.js';
import { toolActions } from './tool-actions.js';

/** A call and its result are one part, which goes from pending to running to completed or error. */
export function toolFacts({
  part,
  id,
  message,
  memory: { told, described },
}: OpencodePart): readonly ConversationFact[] {
  const state = objectIn(part.state) ?? {};
  if (state.status === 'pending') return []; // its input is still being written
  const callId = textIn(part.callID) ?? id;
  const tool = textIn(part.tool) ?? '';
  const input = objectIn(state.input) ?? {};
  const answer = answerOf(callId, state);
  const folder = textIn(objectIn(message.path)?.cwd) ?? described.get('folder');
  const once = (name: string) => {
    const isNew = !told.has(name);
    told.set(name, true);
    return isNew;
  };
  return [
    ...(once(`${id} called`) ? calledFacts({ callId, tool, input, folder }) : []),
    ...(answer !== undefined && once(`${id} answered`) ? [answer] : []),
  ];
}

function calledFacts(call: {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly folder: string | undefined;
}): readonly ConversationFact[] {
  const { callId, tool, input, folder } = call;
  const called: ConversationFact = {
    type: 'tool.called',
    callId,
    tool,
    input,
    actions: toolActions(tool, input, folder),
  };
  if (tool !== 'todowrite' || !Array.isArray(input.todos)) return [called];
  const tasks = listIn(input.todos).flatMap((todo) => {
    const { content, status } = objectIn(todo) ?? {};
    return typeof content === 'string' ? [{ title: content, status: taskStatusOf(status) }] : [];
  });
  return [called, { type: 'tasks.replaced', tasks }];
}

function answerOf(callId: string, state: JsonObject): ToolAnswered | undefined {
  if (state.status === 'error') {
    const text = textIn(state.error) ?? '';
    return { type: 'tool.answered', callId, text, outcome: REFUSED.test(text) ? 'refused' : 'failed' };
  }
  if (state.status !== 'completed') return undefined;
  const text = textIn(state.output) ?? '';
  const exitCode = numberIn(objectIn(state.metadata)?.exit);
  return {
    type: 'tool.answered',
    callId,
    text,
    outcome: (exitCode ?? 0) !== 0 || INVALID.test(text) ? 'failed' : 'ok',
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

const REFUSED = /^(?:The user rejected permission|The user has specified a rule which prevents|Tool execution aborted)/;
const INVALID = /^The arguments provided to the tool are invalid: /;
