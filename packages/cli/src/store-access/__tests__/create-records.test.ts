import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@devs/core';
import { afterAll, describe, expect, it } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';
import { createMemoryAgreements } from '../../trust/__tests__/memory-agreements.js';
import { createStoreGate } from '../../trust/store-gate.js';
import { createRecords } from '../create-records.js';

const folder = mkdtempSync(join(tmpdir(), 'devs-records-'));
afterAll(() => rmSync(folder, { recursive: true }));

let worlds = 0;

function createUser() {
  const home = join(folder, String(++worlds));
  const complaints: string[] = [];
  const gate = createStoreGate({
    agreements: createMemoryAgreements(),
    isTracked: async () => false,
    wasUsedBefore: async () => false,
  });
  const recordsIn = (name: string) => {
    mkdirSync(join(home, name, '.git', 'info'), { recursive: true });
    writeFileSync(join(home, name, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    return createRecords({
      loadStores: () => import('@devs/store'),
      loadWorktree: () => import('@devs/worktree'),
      hostName: 'box',
      folder: join(home, name),
      env: { XDG_STATE_HOME: join(home, 'state') },
      platform: process.platform,
      now: () => 1_000,
      warn: (text) => void complaints.push(text),
      gate,
    });
  };
  return { home, recordsIn, complaints, gate };
}

function orThrow<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none');
  return value;
}

describe('the records of a user', () => {
  it('are made when they are first needed, and the project is remembered', async () => {
    const { home, recordsIn } = createUser();
    const records = recordsIn('shop');
    const file = join(home, 'shop', '.devs', 'state.db');

    expect(await records.open({ kind: 'project' }, 'existing')).toBeUndefined();
    expect([existsSync(join(home, 'shop', '.devs')), existsSync(join(home, 'state'))]).toEqual([false, false]);
    expect(await records.projects()).toEqual([]);

    await (await records.open({ kind: 'project' }, 'create'))?.close();
    expect(await recordsIn('elsewhere').projects()).toEqual([{ root: join(home, 'shop'), file }]);
    expect(readFileSync(join(home, 'shop', '.git', 'info', 'exclude'), 'utf8')).toContain('/.devs/');
  });

  it('are seen by other processes as long as they are open, however often this one opens them', async () => {
    const { home, recordsIn } = createUser();
    const records = recordsIn('shop');
    const location = { kind: 'sqlite', file: join(home, 'own.db') } as const;
    const open = async () =>
      openStore({
        backend: orThrow(await records.open(location, 'create')),
        clock: { now: () => 1_000 },
        newId: String,
      });
    const seenByOthers = async () =>
      (await runDevs(['log', '--json', '--after', '0', '--store', `sqlite:${location.file}`])).stdout
        .trim()
        .split('\n');

    const first = await open();
    await first.log.append('demo:x', 0, [{ type: 'thing.began', data: {} }]);
    await (await open()).close();
    expect(await seenByOthers()).toHaveLength(1); // which takes itself for the last, where the locks of the first are gone
    await first.log.append('demo:x', 1, [{ type: 'thing.ended', data: {} }]);
    expect(await seenByOthers()).toHaveLength(2);
    await first.close();
  });

  it('are purged with everything that belongs to them, and nothing else', async () => {
    const { home, recordsIn } = createUser();
    const records = recordsIn('shop');
    const own = (name: string) => join(home, 'shop', '.devs', name);
    await (await records.open({ kind: 'project' }, 'create'))?.close();
    for (const name of ['session-state.json', 'state.db.damaged-1', 'state.db.mine', 'notes'])
      writeFileSync(own(name), '');
    for (const folder of ['handoffs', 'hooks']) {
      mkdirSync(own(folder));
      writeFileSync(join(own(folder), 'kept'), '');
    }

    expect(await records.holdingsOf({ kind: 'project' })).toEqual(
      expect.arrayContaining([own('session-state.json'), own('state.db'), own('state.db.damaged-1')]),
    );
    await records.purge({ kind: 'project' });

    expect(await records.holdingsOf({ kind: 'project' })).toEqual([]);
    expect([existsSync(own('state.db.mine')), existsSync(own('notes'))]).toEqual([true, true]);
    expect([existsSync(own('handoffs')), existsSync(own('hooks'))]).toEqual([false, false]);
    expect(await records.projects()).toEqual([]);
  });

  it('are not purged through a link to another folder', async () => {
    const { home, recordsIn } = createUser();
    const records = recordsIn('shop');
    await (await records.open({ kind: 'project' }, 'create'))?.close();
    const documents = join(home, 'documents');
    mkdirSync(documents);
    writeFileSync(join(documents, 'thesis'), '');
    symlinkSync(documents, join(home, 'shop', '.devs', 'handoffs'));
    await records.purge({ kind: 'project' });
    expect(existsSync(join(documents, 'thesis'))).toBe(true);
  });

  it('leave alone what is no store, where a file was named', async () => {
    const { home, recordsIn } = createUser();
    const records = recordsIn('shop');
    const notes = join(home, 'shop', 'notes.txt');
    writeFileSync(notes, 'precious');

    await expect(records.open({ kind: 'sqlite', file: notes }, 'create')).rejects.toThrow('is no store of devs');
    expect(readFileSync(notes, 'utf8')).toBe('precious');
    expect(await records.holdingsOf({ kind: 'sqlite', file: join(home, 'shop', 'notes') })).toEqual([]);
  });

  it('tell when the store of the project was damaged and begun anew', async () => {
    const { home, recordsIn, complaints, gate } = createUser();
    const records = recordsIn('shop');
    mkdirSync(join(home, 'shop', '.devs'));
    writeFileSync(join(home, 'shop', '.devs', 'state.db'), 'garbage'.repeat(1_000));
    await gate.join(await records.here());

    await (await records.open({ kind: 'project' }, 'existing'))?.close();

    expect(complaints).toEqual([expect.stringMatching(/^devs: .*state\.db was damaged\. It is kept as .*damaged-/)]);
  });

  it('write the state for tools outside', async () => {
    const { home, recordsIn } = createUser();
    const file = join(home, 'out', 'session-state.json');
    await recordsIn('shop').sessionState(file).save({ completed_tasks: [], blocked_tasks: [] });

    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ completed_tasks: [], blocked_tasks: [] });
  });
});
