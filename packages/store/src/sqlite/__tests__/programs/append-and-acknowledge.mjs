// FILE COUNT: appends one by one and says so after each.
import { note, openScratchStore, say } from './open-scratch-store.mjs';

const [file = '', count = '0'] = process.argv.slice(2);
const { store } = openScratchStore(file);
for (let version = 0; version < Number(count); version++) {
  await store.log.append('run:a', version, [note(`event ${version}`)]);
  say('acknowledged');
}
