import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { collect, programPath, runProgram } from './run-program.js';
import { scratchFolder } from './scratch.js';

const NOBODY = 65_534;
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the file of a store', () => {
  it('and its folder are for the user alone', async () => {
    const file = join(scratchFolder(), 'deep', '.devs', 'state.db');
    const backend = openSqliteBackend({ file });
    await backend.saveSnapshot('a', { position: 1, state: {} });
    expect([dirname(file), file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['700', '600', '600', '600']);
    await backend.close();
  });

  it('is closed to others when it was open to them', async () => {
    const file = join(scratchFolder(), 'state.db');
    writeFileSync(file, '', { mode: 0o644 });
    await openSqliteBackend({ file }).close();
    expect(modeOf(file)).toBe('600');
  });

  it('cannot be a folder, a link or beneath a file, and the message says what to do', () => {
    const folder = scratchFolder();
    const [isFolder, isLink, isFile] = ['folder', 'link', 'file'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(isFolder);
    symlinkSync(isFile, isLink);
    writeFileSync(isFile, '');
    expect(() => openSqliteBackend({ file: isFolder })).toThrow(/is a folder: remove it, or choose another file/);
    expect(() => openSqliteBackend({ file: isLink })).toThrow(/is a symbolic link: remove it/);
    expect(() => openSqliteBackend({ file: join(isFile, 'state.db') })).toThrow(
      /a part of the path is a file. Remove it/,
    );
  });

  it('cannot be in a folder without write access, and the message says what to do', async (context) => {
    const folder = scratchFolder();
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    if (isRoot && !mayRunAsNobody()) context.skip('root may write anywhere, and nobody else may read this checkout');
    const refused = await runProgram('open-and-report', [join(folder, 'state.db'), 'a'], isRoot ? { uid: NOBODY } : {});
    expect(refused).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/cannot be written: make the file and its folder writable for you, or choose/),
    });
  });

  it('loses nothing on a full disk, reports it, and continues once there is space', async (context) => {
    const folder = scratchFolder();
    const onSmallDisk = (...command: string[]) => [
      ...['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1500k tmpfs "$1" && shift && exec "$@"', 'sh', folder],
      ...command,
    ];
    if (spawnSync('unshare', onSmallDisk('true')).status !== 0) {
      context.skip('a small disk cannot be mounted here (unshare -rm)');
    }
    const ended = await collect(spawn('unshare', onSmallDisk(process.execPath, programPath('fill-the-disk'), folder)));
    expect(ended.errors).toBe('');
    const { failure, acknowledged, stored, afterwards } = JSON.parse(ended.lines.at(-1) ?? '{}');
    expect(failure).toEqual({ code: 'STORE_UNAVAILABLE', message: expect.stringMatching(/space|full/) });
    expect(acknowledged).toBeGreaterThan(0);
    expect([stored, afterwards]).toEqual([acknowledged, acknowledged + 1]);
  });
});

const mayRunAsNobody = () => {
  const check = ['-e', `require('node:fs').readFileSync(${JSON.stringify(programPath('open-and-report'))})`];
  return spawnSync(process.execPath, check, { uid: NOBODY }).status === 0;
};
