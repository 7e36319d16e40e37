import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationEvent } from '@devs/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { detectSource } from '../../index.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'devs-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const message = (id: string, role: string, text: string) => ({
  info: { id, role, sessionID: 'ses_1', time: { created: 1, completed: 2 }, path: { cwd: '/shop' } },
  parts: [{ id: `prt_${id}`, messageID: id, sessionID: 'ses_1', type: 'text', text, time: { start: 1, end: 2 } }],
});

async function eventsIn(text: string): Promise<readonly ConversationEvent[] | undefined> {
  const path = join(folder, 'export.json');
  await writeFile(path, text);
  const source = await detectSource(path);
  const events: ConversationEvent[] = [];
  await source?.read({ path, onEvents: (more) => events.push(...more) });
  return source?.agent === 'opencode' ? events : undefined;
}

it('reads what `opencode export` prints', async () => {
  const exported = {
    info: { id: 'ses_1', directory: '/shop', version: '1.18.33' },
    messages: [message('msg_1', 'user', 'Fix the cart.'), message('msg_2', 'assistant', 'I did.')],
  };
  expect(await eventsIn(JSON.stringify(exported, null, 2))).toMatchObject([
    { type: 'conversation.described', conversationId: 'ses_1', folder: '/shop' },
    { type: 'request.made', text: 'Fix the cart.' },
    { type: 'note.written', text: 'I did.' },
  ]);
});

it('gives nothing for an export that was cut off', async () => {
  expect(await eventsIn('{"info":{"id":"ses_1"},"messages":[{"inf')).toEqual([]);
});
