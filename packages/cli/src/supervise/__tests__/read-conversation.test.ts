import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as drivers from '@devs/drivers';
import { expect, it, onTestFinished } from 'vitest';
import { createConversationReader } from '../read-conversation.js';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'devs-conversation-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const read = createConversationReader(async () => drivers);

it.each(['claude', 'builtin', 'mine'])('reads nothing of a record that %s has not written yet', async (agent) => {
  const path = join(makeFolder(), 'a.jsonl');

  expect(await read({ agent, path }, undefined)).toEqual({ entries: [], kept: null, startedOver: true });
  writeFileSync(path, '');
  expect(await read({ agent, path }, undefined)).toEqual({ entries: [], kept: null, startedOver: true });
});

it('says that it cannot read the record of an agent that it does not know', async () => {
  const path = join(makeFolder(), 'a.txt');
  writeFileSync(path, 'words\n');

  await expect(read({ agent: 'mine', path }, undefined)).rejects.toThrow('devs cannot read the records of mine');
});

it('reads on when the record is there', async () => {
  const path = join(makeFolder(), 'a.jsonl');
  const { kept } = await read({ agent: 'claude', path }, undefined);
  const message = { role: 'user', content: 'Add a cart.' };
  writeFileSync(path, `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', message })}\n`);

  expect(await read({ agent: 'claude', path }, kept)).toMatchObject({
    entries: [{ kind: 'prompt', text: 'Add a cart.' }],
  });
});
