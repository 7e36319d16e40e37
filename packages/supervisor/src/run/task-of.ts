import type { RunFacts } from '@devs/core';

/** What is asked of the agent, as a task. */
export const taskOf = (
  facts: RunFacts,
): { readonly id: string; readonly intent: string; readonly description?: string } => {
  const [intent = '', ...rest] = (facts.plan?.request ?? '').trim().split('\n');
  const description = rest.join('\n').trim();
  return { id: facts.task?.id ?? facts.id, intent, ...(description === '' ? {} : { description }) };
};
