// FILE NAME: opens the store, appends to the stream of that name, and says how it went.
import { note, openScratchStore, say } from './open-scratch-store.mjs';

const [file = '', name = ''] = process.argv.slice(2);
try {
  const { backend, store } = openScratchStore(file);
  const { status } = await store.log.append(`run:${name}`, 0, [note(name)]);
  say({ status, damagedKept: backend.damagedKept, wasEmptied: backend.wasEmptied });
} catch (error) {
  say({ code: error.code, message: error.message });
}
