import type { TurnContext } from '../protocol/turn-context.js';

export const turnContext = (changes: Partial<TurnContext> = {}): TurnContext => ({
  threadId: 'thread-1',
  taskId: 'task-1',
  agentRole: 'coder',
  turnIndex: 1,
  ...changes,
});
