// FOLDER: appends until the disk is full, makes room and continues. The folder is its own small disk.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { note, openScratchStore, say } from './open-scratch-store.mjs';

const [folder = ''] = process.argv.slice(2);
const ballast = join(folder, 'ballast');
writeFileSync(ballast, Buffer.alloc(200_000));
const { store } = openScratchStore(join(folder, 'state.db'));
let version = 0;
const append = async () => {
  await store.log.append('run:a', version, [note('x'.repeat(5_000))]);
  version++;
};
let failure;
while (failure === undefined) {
  try {
    await append();
  } catch (error) {
    failure = { code: error.code, message: error.message };
  }
}
const stored = (await store.log.read()).length;
const acknowledged = version;
rmSync(ballast);
await append();
say({ failure, acknowledged, stored, afterwards: (await store.log.read()).length });
