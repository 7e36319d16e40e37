import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { unpackRefs } from '../unpack-refs.js';

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);

it('gives a ref that is moved, packed again or deleted meanwhile the value that it has then', async () => {
  const common = mkdtempSync(join(tmpdir(), 'devs-refs-'));
  onTestFinished(() => rmSync(common, { recursive: true, force: true }));
  const packed = join(common, 'packed-refs');
  execFileSync('mkfifo', [packed]); // a reader blocks until this is written
  const unpacked = unpackRefs(common, 'refs/heads/devs/', 'refs/heads/devs/own');
  const first = await open(packed, 'w');
  writeFileSync(`${packed}.new`, `${NEW} refs/heads/devs/moved\n${NEW} refs/heads/devs/own\n`);
  renameSync(`${packed}.new`, packed);
  const names = ['moved', 'deleted', 'own'];
  await first.writeFile(names.map((name) => `${OLD} refs/heads/devs/${name}\n`).join(''));
  await first.close();
  await unpacked;
  const refs = join(common, 'refs/heads/devs');
  expect(readFileSync(join(refs, 'moved'), 'utf8')).toBe(`${NEW}\n`);
  for (const name of ['deleted', 'own', 'moved.lock', 'deleted.lock']) expect(existsSync(join(refs, name))).toBe(false);
});
