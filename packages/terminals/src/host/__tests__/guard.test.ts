import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestHost } from '../../testing/open-test-host.js';
import { createGuard } from '../guard.js';
import { readHostRecord } from '../host-record.js';

const PROGRAM = fileURLToPath(new URL('../../../fixtures/comes-back.mjs', import.meta.url));

async function openGuarded() {
  const host = await openTestHost();
  onTestFinished(() => host.dispose());
  const file = join(host.folder, 'came-back');
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  const env = { PATH: process.env.PATH ?? '' };
  const order = { command: [process.execPath, PROGRAM, host.folder, file], cwd: host.folder, env };
  const until = async (count: number) => {
    while (lines().length < count) await pause(20);
    return lines().map((line) => Number(line.split(' ')[0]));
  };
  return { host, order, lines, until };
}

describe('a host whose supervisor is gone', () => {
  it('restarts the supervisor with the secrets entrusted by its predecessor', async () => {
    const { host, order, lines, until } = await openGuarded();
    const supervisor = await host.connectAgain();
    await supervisor.entrust('run-1', 'a key');
    await supervisor.guard(order);

    supervisor.close();

    const [pid = 0] = await until(1);
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    expect(lines()).toEqual([`${pid} a key`]);
    expect(readHostRecord(host.folder)?.supervisor?.pid).toBe(pid);
  });

  it('starts it again when that one is killed, too', async () => {
    const { host, order, until } = await openGuarded();
    const supervisor = await host.connectAgain();
    await supervisor.guard(order);
    supervisor.close();
    const [first = 0] = await until(1);

    process.kill(first, 'SIGKILL');

    const [, second = 0] = await until(2);
    onTestFinished(() => void process.kill(second, 'SIGKILL'));
    expect(second).not.toBe(first);
  });

  it('starts nothing where the supervisor said that nothing is left', async () => {
    const { host, order, lines } = await openGuarded();
    const supervisor = await host.connectAgain();
    await supervisor.guard(order);

    await supervisor.unguard();
    supervisor.close();

    await (await host.connectAgain()).list();
    expect(lines()).toEqual([]);
    expect(readHostRecord(host.folder)?.supervisor).toBeUndefined();
  });

  it('keeps entrusted secrets in memory only', async () => {
    const { host } = await openGuarded();
    await host.host.entrust('run-2', 'sk-very-secret');

    expect(await (await host.connectAgain()).entrusted('run-2')).toBe('sk-very-secret');
    expect(readFileSync(join(host.folder, 'host.json'), 'utf8')).not.toContain('sk-very-secret');
    await host.host.entrust('run-2', undefined);
    expect(await host.host.entrusted('run-2')).toBeUndefined();
  });
});

/** A guard whose supervisor can be started once the test says so. */
function openHindered() {
  const root = mkdtempSync(join(tmpdir(), 'devs-guard-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [program, file] = [join(root, 'supervisor'), join(root, 'came-back')];
  const makeProgram = () => writeFileSync(program, `#!/bin/sh\necho > '${file}'\n`, { mode: 0o700 });
  const guardIn = async (folder: string) => {
    await new Promise<void>((resolve) => {
      const guard = createGuard<string>({ folder, onChange: resolve });
      onTestFinished(() => guard.close());
      guard.set('it', { command: [program], cwd: root, env: { PATH: process.env.PATH ?? '' } });
      guard.lost('it');
    });
  };
  const cameBack = async () => {
    while (!existsSync(file)) await pause(20);
  };
  return { root, makeProgram, guardIn, cameBack };
}

describe('a supervisor that cannot be started', () => {
  it('is tried again while its program is not there', async () => {
    const { root, makeProgram, guardIn, cameBack } = openHindered();
    await guardIn(root);

    makeProgram();

    await cameBack();
  });

  it('is tried again while its log cannot be opened', async () => {
    const { root, makeProgram, guardIn, cameBack } = openHindered();
    makeProgram();
    await guardIn(join(root, 'host'));

    mkdirSync(join(root, 'host'));

    await cameBack();
  });
});
