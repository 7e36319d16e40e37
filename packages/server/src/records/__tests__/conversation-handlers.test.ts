import { type ConversationEntry, openStore, type StoredEvent } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { expect, it } from 'vitest';
import { createConversationHandlers, recordedConversations } from '../conversation-handlers.js';
import { createOpenStores } from '../open-stores.js';

const SHOP = '/shop';
const text = (number: number): ConversationEntry => ({ kind: 'text', text: String(number) });

async function openWorld(entries: readonly ConversationEntry[]) {
  const clock = { now: Date.now };
  const backend = createMemoryBackend();
  const store = openStore({ backend, clock, newId: () => 'id' });
  await store.log.append('terminal:shop', 0, [
    { type: 'terminal.opened', data: { launch: { agent: 'codex' } } },
    { type: 'conversation.observed', data: { agentId: 'a', conversationId: 'c1', path: '/c1' } },
  ]);
  const record = [...entries];
  const asked: unknown[] = [];
  const stores = createOpenStores(
    {
      list: async () => [{ root: SHOP, location: { kind: 'project' } }],
      open: async () => ({ backend, store: { ...store, close: async () => {} } }),
    },
    clock,
  );
  const { 'terminals.conversation': read } = createConversationHandlers(stores, async (where, kept) => {
    asked.push({ where, kept });
    const before = Number(kept ?? 0);
    return { entries: record.slice(before), kept: record.length, startedOver: false };
  });
  const ask = (after = 0, terminal = 'shop') => read({ project: SHOP, terminal, after }, {} as never);
  return { ask, record, asked };
}

it('gives what is new in the record of the agent, and reads no line twice', async () => {
  const { ask, record, asked } = await openWorld([text(0), text(1)]);

  expect(await ask()).toEqual({ conversation: 'c1', first: 0, entries: [text(0), text(1)], total: 2 });
  record.push(text(2));
  expect(await ask(2)).toEqual({ conversation: 'c1', first: 2, entries: [text(2)], total: 3 });
  expect(await ask(99)).toMatchObject({ first: 0, total: 3 });
  expect(asked).toEqual([
    { where: { id: 'c1', agent: 'codex', path: '/c1' }, kept: undefined },
    { where: { id: 'c1', agent: 'codex', path: '/c1' }, kept: 2 },
    { where: { id: 'c1', agent: 'codex', path: '/c1' }, kept: 3 },
  ]);
});

it('begins a long conversation at its end', async () => {
  const { ask } = await openWorld(Array.from({ length: 6_000 }, (_, number) => text(number)));
  const page = await ask();

  expect(page).toMatchObject({ first: 5_500, total: 6_000 });
  expect(page.entries.at(-1)).toEqual(text(5_999));
  expect(await ask(10)).toMatchObject({ first: 1_000 });
});

it('has nothing of a terminal without a record', async () => {
  const { ask } = await openWorld([]);

  expect(await ask(0, 'other')).toEqual({ first: 0, entries: [], total: 0 });
});

it('takes the newest conversation last, also where it was opened again', () => {
  const observed = (conversationId: string): StoredEvent =>
    ({ type: 'conversation.observed', data: { conversationId, path: `/${conversationId}` } }) as never;

  expect(recordedConversations([observed('a'), observed('b'), observed('a')]).map(({ id }) => id)).toEqual(['b', 'a']);
});
