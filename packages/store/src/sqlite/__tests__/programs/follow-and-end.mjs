// FILE: follows without anything else to do. The poll alone must not keep the process alive.
import { openScratchStore, say } from './open-scratch-store.mjs';

const [file = ''] = process.argv.slice(2);
const { store } = openScratchStore(file);
void (async () => {
  for await (const event of store.log.follow({ signal: new AbortController().signal })) say(event.position);
})();
