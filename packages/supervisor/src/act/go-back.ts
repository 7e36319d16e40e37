import type { UndoOutcome } from '../supervised-terminal.js';
import type { Supervision } from '../supervision.js';
import { restartAgent } from './restart-agent.js';

/** Reopens the conversation before the last renewal, in place of the current one. */
export async function goBack(supervision: Supervision): Promise<UndoOutcome> {
  const { record } = supervision;
  const { agent } = record.facts;
  if (agent?.document === undefined)
    return { status: 'refused', reason: 'this conversation did not begin from a handoff' };
  const conversationId = agent.from;
  if (conversationId === undefined)
    return { status: 'refused', reason: 'the conversation before this one is not known' };
  if (!(await canResume(supervision, conversationId)))
    return { status: 'refused', reason: `${supervision.driver.agent} cannot open a conversation again` };
  const outcome = await restartAgent(supervision, {
    conversation: { kind: 'resume', id: conversationId },
    why: 'undo',
  });
  return outcome.kind === 'failed' ? { status: 'failed', error: outcome.error } : { status: 'undone', conversationId };
}

/** Whether its CLI opens a conversation by its id. */
export const canResume = async ({ agentProcess }: Supervision, conversationId: string): Promise<boolean> =>
  agentProcess.canOpen({ kind: 'resume', id: conversationId });
