// FILE NAME COUNT: appends to one stream without looking first; after a conflict, appends again with the reported
// version.
import { note, openScratchStore, say } from './open-scratch-store.mjs';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
const { store } = openScratchStore(file);
let expected = 0;
let conflicts = 0;
let wrongConflicts = 0;
for (let index = 0; index < Number(count); ) {
  const result = await store.log.append('run:shared', expected, [note(`${name}/${index}`)]);
  if (result.status === 'conflict') {
    conflicts++;
    if (result.version <= expected) wrongConflicts++;
  } else index++;
  expected = result.version;
}
say({ conflicts, wrongConflicts });
