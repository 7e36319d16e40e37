import { type OpenedStore, openStore, type RunEvent, runEventOf, runStarted, runStream } from '@devs/core';
import type { StoredEvent } from '@devs/core/folds';
import { createMemoryBackend } from '@devs/core/testing';
import type { WorkflowTemplate } from '@devs/core/workflow';

const TEMPLATE: WorkflowTemplate = {
  name: 'small',
  description: 'Three steps.',
  steps: [
    { id: 'plan', type: 'action', instructions: 'Plan it.' },
    { id: 'improve', type: 'ralph', n: 2, instructions: 'Improve it.' },
    { id: 'review', type: 'action', instructions: 'Review it.', context: 'clear' },
  ],
};

let at = 1_000;

/** A store whose clock advances by a second with each look. */
export function openTestStore(): OpenedStore {
  at = 1_000;
  const backend = createMemoryBackend();
  const now = () => {
    at += 1_000;
    return at;
  };
  return { backend, store: openStore({ backend, clock: { now }, newId: () => String(at) }) };
}

export async function append(
  { store }: OpenedStore,
  stream: string,
  ...events: readonly { readonly type: string; readonly data: StoredEvent['data'] }[]
): Promise<void> {
  await store.log.append(stream, await store.log.version(stream), events);
}

/** A run that was prepared and begun, in the terminal of the same name. */
export async function storeRun(opened: OpenedStore, id: string, request = 'Add a cart'): Promise<void> {
  await append(
    opened,
    runStream(id),
    runStarted({ template: TEMPLATE, source: { path: 'small.yaml', digest: 'x' } }),
    runEventOf({ type: 'run.prepared', request, workflow: 'small', agent: 'claude', place: 'own', folder: '/shop' }),
    runEventOf({ type: 'run.begun', by: 'somebody', terminal: id }),
  );
}

export const tellRun = (opened: OpenedStore, id: string, ...events: readonly RunEvent[]): Promise<void> =>
  append(opened, runStream(id), ...events.map(runEventOf));

/** Ends steps of a run, as its agent would. */
export async function endSteps(opened: OpenedStore, id: string, outputs: readonly string[]): Promise<void> {
  for (const output of outputs)
    await append(opened, runStream(id), { type: 'step.completed', data: { at: 'a step', output } });
}

export const everything = ({ store }: OpenedStore): Promise<readonly StoredEvent[]> =>
  store.log.read({ limit: 10_000 });
