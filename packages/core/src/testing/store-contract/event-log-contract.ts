import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { createEventLog } from '../../event-log/create-event-log.js';
import type { StoredEvent } from '../../ports/event-log.js';
import type { StoreBackend } from '../../ports/store-backend.js';
import type { Proof } from './contract-world.js';

const note = (text: string) => ({ type: 'note.written', data: { text } });
const texts = (events: readonly StoredEvent[]) => events.map(({ data }) => data['text']);

/** What every event log must do: sentences with a proof each, no test runner inside. */
export const eventLogContract: Readonly<Record<string, Proof>> = {
  async 'a store has one id, for everyone who opens it'({ store, another }) {
    const id = await store.id();
    match(id, /^[0-9a-f]{32}$/);
    await store.log.append('run:a', 0, [note('1')]);
    deepEqual([await store.id(), await (await another()).id()], [id, id]);
  },

  async 'an event that was appended is read again as it was'({ store, clock }) {
    const data = {
      text: 'Ünï 🚀 "quoted" \\ \n',
      list: [1, -2.5, true, null, { deep: [] }],
      '': 'empty key',
      __proto__x: 1,
    };
    const events = [{ position: 1, stream: 'run:a', version: 1, type: 'note.written', data, at: clock.now() }];
    deepEqual(await store.log.append('run:a', 0, [{ type: 'note.written', data }]), {
      status: 'appended',
      version: 1,
      position: 1,
      events,
    });
    deepEqual(await store.log.read(), events);
  },

  async 'what is told of an append is what is stored, without the secrets'({ store }) {
    await store.log.append('run:b', 0, [note('before')]);
    const secret = `token=ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const result = await store.log.append('run:a', 0, [note('1'), note(secret)]);
    deepEqual(result.status === 'appended' && result.events, await store.log.read({ stream: 'run:a' }));
    equal(JSON.stringify(result).includes('ghp_'), false);
  },

  async 'positions and versions go on when events are removed'({ store, backend, another }) {
    await store.log.append('run:a', 0, [note('1'), note('2')]);
    await store.log.append('run:b', 0, [note('3')]);
    await store.log.append('run:c', 0, [note('4'), note('5')]);
    const snapshot = { position: 5, state: { a: 1 } };
    await backend.saveSnapshot('one', snapshot);
    await backend.saveSnapshot('two', snapshot);
    const streams = [
      { stream: 'run:a', version: 2 },
      { stream: 'run:b', version: 7 },
      { stream: 'run:c', version: 2 },
      { stream: 'run:d', version: 0 },
    ];
    const trim = { streams, snapshots: ['one', 'none'] };
    equal(await backend.trim(trim), 2, 'another version stays, and the newest event');
    equal(await backend.trim(trim), 0);
    await backend.compact();
    deepEqual([await backend.loadSnapshot('one'), await backend.loadSnapshot('two')], [undefined, snapshot]);
    const other = await another();
    deepEqual(texts(await other.log.read()), ['3', '4', '5']);
    deepEqual(await other.log.read({ stream: 'run:a' }), []);
    equal(await other.log.version('run:a'), 2);
    deepEqual(await store.log.append('run:a', 0, [note('no')]), { status: 'conflict', version: 2 });
    equal((await store.log.append('run:a', 2, [note('6')])).version, 3);
    equal((await store.log.append('run:c', 2, [note('7'), note('8')])).version, 4);
    deepEqual(
      (await other.log.read({ after: 5 })).map(({ position, stream, version }) => [position, stream, version]),
      [
        [6, 'run:a', 3],
        [7, 'run:c', 3],
        [8, 'run:c', 4],
      ],
    );
    await store.tasks.add([{ id: 'one', intent: 'Do it' }]);
    equal(await backend.trim({ streams: [{ stream: 'run:c', version: 4 }], snapshots: [] }), 4);
    equal((await store.tasks.claim({ by: 'me', leaseMs: 1_000 })).status, 'claimed');
    deepEqual(
      (await other.log.read({ after: 6 })).map(({ position }) => position),
      [9, 10],
    );
  },

  async 'who follows hears of what comes after removed events'({ store, backend, another }) {
    await store.log.append('run:a', 0, [note('1'), note('2')]);
    await store.log.append('run:b', 0, [note('3')]);
    const over = new AbortController();
    const heard: string[] = [];
    const following = (async () => {
      for await (const { data } of (await another()).log.follow({ signal: over.signal })) {
        heard.push(String(data['text']));
        if (heard.length === 3) await backend.trim({ streams: [{ stream: 'run:a', version: 2 }], snapshots: [] });
        if (heard.length === 3) await backend.compact();
        if (data['text'] === '5') over.abort();
        else if (heard.length >= 3) await store.log.append('run:b', heard.length - 2, [note(String(heard.length + 1))]);
      }
    })();
    await following;
    deepEqual(heard, ['1', '2', '3', '4', '5']);
  },

  async 'positions go on over all streams, versions within one'({ store }) {
    await store.log.append('run:a', 0, [note('1'), note('2')]);
    await store.log.append('run:b', 0, [note('3')]);
    await store.log.append('run:a', 2, [note('4')]);
    const events = await store.log.read();
    deepEqual(
      events.map(({ position, stream, version }) => [position, stream, version]),
      [
        [1, 'run:a', 1],
        [2, 'run:a', 2],
        [3, 'run:b', 1],
        [4, 'run:a', 3],
      ],
    );
    equal(await store.log.version('run:a'), 3);
    equal(await store.log.version('run:nobody'), 0);
  },

  async 'of two writers that expect the same version the first wins, and the second is told'({ store, another }) {
    const other = await another();
    equal((await store.log.append('run:a', 0, [note('mine')])).status, 'appended');
    deepEqual(await other.log.append('run:a', 0, [note('yours')]), { status: 'conflict', version: 1 });
    deepEqual(await other.log.append('run:a', 5, [note('yours')]), { status: 'conflict', version: 1 });
    deepEqual(texts(await other.log.read()), ['mine']);
  },

  async 'many writers on one stream lose nothing and store nothing twice'({ store, another }) {
    const stores = [store, await another(), await another()];
    const append = async (log: (typeof store)['log'], text: string) => {
      for (;;) {
        const result = await log.append('run:a', await log.version('run:a'), [note(text)]);
        if (result.status === 'appended') return;
      }
    };
    const names = Array.from({ length: 30 }, (_, index) => `event ${index}`);
    await Promise.all(names.map((name, index) => append((stores[index % 3] ?? store).log, name)));
    deepEqual([...texts(await store.log.read())].sort(), [...names].sort());
  },

  async 'reading begins behind a position and ends at a limit'({ store }) {
    await store.log.append('run:a', 0, ['1', '2', '3', '4'].map(note));
    await store.log.append('run:b', 0, [note('5')]);
    deepEqual(texts(await store.log.read({ after: 1, limit: 2 })), ['2', '3']);
    deepEqual(texts(await store.log.read({ stream: 'run:b' })), ['5']);
    deepEqual(texts(await store.log.read({ stream: 'run:a', after: 2 })), ['3', '4']);
    deepEqual(await store.log.read({ after: 99 }), []);
  },

  async 'a follower sees what is there and what others append, once and in order'({ store, another }) {
    const writer = await another();
    await store.log.append('run:a', 0, [note('1')]);
    const stop = new AbortController();
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const event of store.log.follow({ signal: stop.signal })) {
        seen.push(event.data['text']);
        if (seen.length === 4) stop.abort();
      }
    })();
    await writer.log.append('run:a', 1, [note('2'), note('3')]);
    await writer.log.append('run:b', 0, [note('4')]);
    await following;
    deepEqual(seen, ['1', '2', '3', '4']);
  },

  async 'a follower of one stream sees that stream alone'({ store }) {
    const stop = new AbortController();
    const seen: unknown[] = [];
    await store.log.append('run:b', 0, [note('not this')]);
    await store.log.append('run:a', 0, [note('1')]);
    const following = (async () => {
      for await (const event of store.log.follow({ stream: 'run:a', signal: stop.signal })) {
        seen.push(event.data['text']);
        if (seen.length === 2) stop.abort();
      }
    })();
    await store.log.append('run:b', 1, [note('nor this')]);
    await store.log.append('run:a', 1, [note('2')]);
    await following;
    deepEqual(seen, ['1', '2']);
  },

  async 'a follower of one stream, from a position on, reads nothing else and is not woken without end'(world) {
    const { backend, store, another, clock } = world;
    const other = await another();
    await store.log.append('run:a', 0, [note('old')]);
    for (let version = 0; version < 20; version++) await other.log.append('run:b', version, [note('other')]);
    const from = await store.log.append('run:a', 1, [note('1')]);
    let reads = 0;
    const read: unknown[] = [];
    const watched: StoreBackend = {
      ...backend,
      async read(query) {
        const events = await backend.read(query);
        reads++;
        read.push(...texts(events));
        return events;
      },
    };
    const stop = new AbortController();
    const seen: unknown[] = [];
    const following = (async () => {
      const after = from.status === 'appended' ? from.position - 1 : 0;
      const log = createEventLog({ backend: watched, clock, newId: () => 'none' });
      for await (const event of log.follow({ stream: 'run:a', after, signal: stop.signal })) {
        seen.push(event.data['text']);
        if (seen.length === 2) stop.abort();
      }
    })();
    for (let version = 20; version < 40; version++) await other.log.append('run:b', version, [note('other')]);
    await other.log.append('run:a', 2, [note('2')]);
    await following;
    deepEqual(
      [seen, read],
      [
        ['1', '2'],
        ['1', '2'],
      ],
    );
    ok(reads <= 50, `${reads} reads for 21 appends`);
  },

  async 'following ends when it is aborted while nothing happens'({ store }) {
    const stop = new AbortController();
    const following = (async () => {
      for await (const _event of store.log.follow({ signal: stop.signal }));
    })();
    stop.abort();
    await following;
  },

  async 'a commit that is sent twice is stored once'({ backend, clock }) {
    const commit = {
      id: 'the-same',
      at: clock.now(),
      streams: [{ stream: 'run:a', expectedVersion: 0, events: [note('once')] }],
      tasks: [],
    };
    const first = await backend.commit(commit);
    deepEqual(await backend.commit(commit), first);
    equal((await backend.read({ after: 0, limit: 10 })).length, 1);
  },

  async 'a commit that is sent again after its streams have gone on gets the answer that was lost'({
    backend,
    store,
    clock,
  }) {
    const commit = {
      id: 'the-lost',
      at: clock.now(),
      streams: [
        { stream: 'run:guard', expectedVersion: 0, events: [] },
        { stream: 'run:a', expectedVersion: 0, events: [note('a1'), note('a2')] },
        { stream: 'run:b', expectedVersion: 0, events: [note('b')] },
      ],
      tasks: [],
    };
    const first = await backend.commit(commit);
    await store.log.append('run:a', 2, [note('a3'), note('a4')]);
    await store.log.append('run:guard', 0, [note('moved')]);
    deepEqual(await backend.commit(commit), first);
    const another = await backend.commit({ ...commit, id: 'another' });
    equal(another.committed, false);
    equal((await backend.read({ after: 0, limit: 10 })).length, 6);
  },

  async 'a commit over several streams is stored whole or not at all'({ backend, clock }) {
    const streams = [
      { stream: 'run:a', expectedVersion: 0, events: [note('a')] },
      { stream: 'run:b', expectedVersion: 7, events: [note('b')] },
    ];
    const result = await backend.commit({ id: 'x', at: clock.now(), streams, tasks: [] });
    deepEqual(result, { committed: false, stream: 'run:b', version: 0 });
    equal(await backend.version('run:a'), 0);
  },

  async 'a commit may depend on a stream that it adds nothing to'({ backend, clock }) {
    const guarded = (id: string, expectedVersion: number) => ({
      id,
      at: clock.now(),
      streams: [
        { stream: 'run:guard', expectedVersion, events: [] },
        { stream: 'run:a', expectedVersion: 0, events: [note('a')] },
      ],
      tasks: [],
    });
    deepEqual(await backend.commit(guarded('x', 1)), { committed: false, stream: 'run:guard', version: 0 });
    deepEqual(await backend.commit(guarded('y', 0)), { committed: true, position: 1 });
    deepEqual(await backend.commit(guarded('y', 0)), { committed: true, position: 1 });
    equal(await backend.version('run:guard'), 0);
  },

  async 'a snapshot is kept until a newer one comes'({ backend }) {
    equal(await backend.loadSnapshot('state'), undefined);
    await backend.saveSnapshot('state', { position: 5, state: { five: true } });
    await backend.saveSnapshot('state', { position: 3, state: { three: true } });
    deepEqual(await backend.loadSnapshot('state'), { position: 5, state: { five: true } });
    await backend.saveSnapshot('state', { position: 8, state: { eight: [] } });
    deepEqual(await backend.loadSnapshot('state'), { position: 8, state: { eight: [] } });
  },

  async 'names and data that mean nothing are refused, and the message says what is allowed'({ store }) {
    const bad = { code: 'STORE_INPUT_INVALID' };
    for (const stream of [
      '',
      'run',
      'run:',
      'run:../x',
      'run:a/b',
      'run:a\nb',
      'run:é',
      'Run:a',
      `run:${'a'.repeat(300)}`,
    ]) {
      await rejects(store.log.append(stream, 0, [note('x')]), bad, stream);
      await rejects(store.log.read({ stream }), bad, stream);
    }
    for (const version of [-1, 0.5, Number.NaN]) await rejects(store.log.append('run:a', version, [note('x')]), bad);
    for (const type of ['', 'note', 'Note.Written', 'note.written.twice']) {
      await rejects(store.log.append('run:a', 0, [{ type, data: {} }]), bad, type);
    }
    await rejects(store.log.append('run:a', 0, []), bad);
    await rejects(store.log.append('task:a', 0, [note('x')]), bad, 'streams of tasks belong to the queue');
    await rejects(store.log.append(`run:ghp_${'a1B2c3D4e5F6'.repeat(3)}`, 0, [note('x')]), bad, 'a secret as a name');
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    for (const data of [null, 'text', 7, [], { when: new Date(0) }, { n: Number.NaN }, deep] as never[]) {
      await rejects(store.log.append('run:a', 0, [{ type: 'note.written', data }]), bad);
    }
    for (const query of [{ after: Number.NaN }, { limit: -1 }, { limit: 1.5 }])
      await rejects(store.log.read(query), bad);
    await rejects(store.log.append('run:a', 0, [note('x'.repeat(10_000_000))]), bad);
    equal((await store.log.read()).length, 0);
  },

  async 'what looks like a secret is not stored'({ store }) {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await store.log.append('run:a', 0, [note(`the token is ${secret}, keep it`)]);
    const [event] = await store.log.read();
    ok(!JSON.stringify(event).includes(secret));
  },
};
