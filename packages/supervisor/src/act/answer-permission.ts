import type { ChosenPermission } from '@devs/core';
import { waitUntil } from '../follow/wait-until.js';
import type { Supervision } from '../supervision.js';

/** `settled`: the agent's own record says so. Else why it is not. */
export type PermissionAnswered =
  | { readonly kind: 'settled' }
  | { readonly kind: 'unanswered'; readonly isHanded: boolean; readonly why: string };

/** Longer than an agent takes to write down what it was told. */
const MAX_MS = 30_000;

/** Gives an agent the answer to a permission that it asks for, and sees it in the agent's own record. */
export async function answerPermission(
  { agentProcess, clock, patience }: Supervision,
  requestId: string,
  { choice, words }: ChosenPermission,
): Promise<PermissionAnswered> {
  const { agent } = agentProcess;
  const handed = (await agent?.channel?.answer(requestId, choice.id, words)) ?? 'gone';
  if (agent === undefined || handed !== 'handed')
    return { kind: 'unanswered', isHanded: false, why: `the agent takes no answer (${handed})` };
  const isSettled = () =>
    agent.since(0).some((event) => event.type === 'permission.settled' && event.requestId === requestId);
  await waitUntil(() => isSettled() || agent.view() === 'exited', clock.now() + MAX_MS, patience);
  return isSettled()
    ? { kind: 'settled' }
    : { kind: 'unanswered', isHanded: true, why: 'the agent has not recorded it' };
}
