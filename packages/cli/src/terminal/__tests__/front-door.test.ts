import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '@devs/core';
import { until } from '@devs/core/testing';
import { openSqliteBackend } from '@devs/store';
import { terminalStream } from '@devs/supervisor';
import { fixtureAgent } from '@devs/terminals/testing';
import { describe, expect, it } from 'vitest';
import { type FrontDoor, openFrontDoor, RAW_AGENT, type Window } from './front-door.js';

const PREFIX = '\u001d';
const openRaw = () => openFrontDoor([process.execPath, RAW_AGENT]);

/** Every mode that the agent left on is off again; the other screen is left last, or the cursor lands elsewhere. */
function expectModesOff(left: string): void {
  const lastly = left.lastIndexOf('\u001b[?1049l');
  for (const off of ['\u001b[<1u', '\u001b[?1002l', '\u001b[?1006l', '\u001b[?2004l']) {
    expect(left).toContain(off);
    expect(left.lastIndexOf(off)).toBeLessThan(lastly);
  }
}

/** What the terminal drivers of the system say after `devs` is gone. */
async function expectRestored(window: Window): Promise<string> {
  const left = await window.until('[end]');
  expect(left).toMatch(/[^-]icanon/);
  expect(left).toMatch(/[^-]echo\b/);
  expect(left).toMatch(/[^-]isig/);
  return left;
}

describe('devs claude', () => {
  it('passes every argument, key and size on, and gives the exit code of the agent', async () => {
    const door = openRaw();
    const window = door.open(['claude', '--model', 'x', '--name', 'theirs', 'a "b" $(c)'], { columns: 90, rows: 30 });

    expect(await window.until('[size 90x30]')).toContain('[args ["--model","x","--name","theirs","a \\"b\\" $(c)"]]');
    for (const [keys, hex] of [
      ['x', '78'],
      ['\u0003', '03'],
      ['\u001b[A', '1b5b41'],
      ['é', 'c3a9'],
      ['\u001b[200~two\nlines\u001d\u001b[201~', '1b5b3230307e74776f0a6c696e65731d1b5b3230317e'],
      ['\u001b[<0;5;5M', '1b5b3c303b353b354d'],
    ] as const) {
      window.type(keys);
      await window.until(`[keys ${hex}]`);
    }
    window.resize(70, 20);
    await window.until('[size 70x20]');
    window.type('q');

    const left = await expectRestored(window);
    expect(left).toContain('[rc=7]');
    expectModesOff(left);
  });

  it('sends the prefix key when it is pressed twice, and nothing of what is meant for devs', {
    tags: 'long',
  }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size');

    window.type(`${PREFIX}${PREFIX}`);
    await window.until('[keys 1d]');
    window.type(`${PREFIX}?`);
    await window.until('d detach');
    window.type(`${PREFIX}\u001b`);
    window.type('z');
    expect(await window.until('[keys 7a]')).not.toContain('[keys 3f]');
  });

  it('says what of its agent was not tried, or weakens what devs does', { tags: 'long' }, async () => {
    const door = openFrontDoor([process.execPath, RAW_AGENT], { version: '9.9.9' });
    const window = door.open(['claude'], { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' } });
    const said = await window.until('[size');
    expect(said).toContain('claude 9.9.9 was not tried with devs');
    expect(said).toContain('compacts at 50 %');
  });

  it('starts the agent also where the configuration is broken, and says what is wrong with it', {
    tags: 'long',
  }, async () => {
    const door = openRaw();
    mkdirSync(join(door.project, '.devs'));
    writeFileSync(join(door.project, '.devs', 'config.yaml'), 'renewal: 7\n');
    const window = door.open(['claude']);
    expect(await window.until('[size')).toContain('devs: .devs/config.yaml:1:');
  });

  it('runs what is no conversation directly, with its output and exit code', async () => {
    const door = openRaw();
    const window = door.open(['claude', 'mcp', 'list']);
    expect(await window.until('[size')).toContain('[args ["mcp","list"]]');
    window.type('q');
    expect(await window.until('[end]')).toContain('[rc=7]');
    expect(existsSync(join(door.stateFolder, 'devs'))).toBe(false);
  });

  it('runs directly where there is no terminal', async () => {
    const door = openFrontDoor([
      process.execPath,
      '-e',
      'console.log(JSON.stringify(process.argv.slice(1))); process.exit(3)',
      '--',
    ]);
    expect(await door.run('claude', 'hello')).toEqual({ exitCode: 3, stdout: '["hello"]\n', stderr: '' });
  });

  it('says what to do where the agent is not installed', async () => {
    const door = openRaw();
    const window = door.open(['codex'], { env: { PATH: '/usr/bin:/bin' } });
    expect(await window.until('[end]')).toMatch(/devs: it could not be started: .*codex.*\[rc=1\]/s);
  });
});

describe('a window that goes away', () => {
  it('[H16] leaves the agent running, for every cause, and comes back with screen and modes', async () => {
    const door = openRaw();
    const first = door.open(['--name', 'shop', 'claude']);
    const pid = await first.pid();
    await first.until('[size');
    first.type('a');
    await first.until('[keys 61]');
    process.kill(pid, 'SIGKILL');
    await first.until('[rc=137]');
    const [agent] = await door.hosted();
    expect(agent).toMatchObject({ terminalId: 'shop' });
    expect(agent?.exit).toBeUndefined();
    const { terminals } = JSON.parse((await door.run('--json')).stdout) as { terminals: object[] };
    expect(terminals).toMatchObject([{ name: 'shop', activity: 'starting', isSupervised: true, pid: agent?.pid }]);

    const second = door.open(['attach', 'sh'], { columns: 100, rows: 40 });
    const screen = await second.until('\u001b[>1u');
    expect(screen).toContain('[keys 61]');
    await second.shows('[size 100x40]');
    expect(screen).toContain('\u001b[?1006h'); // how the mouse is told is not part of a screen
    second.type('b');
    await second.until('[keys 62]');
    second.type(`${PREFIX}d`);
    const left = await expectRestored(second);
    expect(left).toContain('devs: detached. "shop" keeps running; come back with `devs attach shop`.');
    expect(left).toContain('[rc=0]');
    expectModesOff(left);
    expect((await door.hosted())[0]?.pid).toBe(agent?.pid);

    const third = door.open(['attach', 'shop']);
    await third.pid();
    third.type('q'); // long before it is attached
    const end = await expectRestored(third);
    expect(end).toContain('[keys 62]');
    expect(end).toContain('[rc=7]');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is put back in order on %s', { tags: 'long' }, async (signal, exitCode) => {
    const door = openRaw();
    const window = door.open(['claude']);
    const pid = await window.pid();
    await window.until('[size');
    process.kill(pid, signal);

    const left = await expectRestored(window);
    expect(left).toContain(`[rc=${exitCode}]`);
    expectModesOff(left);
    expect((await door.hosted()).map(({ exit }) => exit)).toEqual([undefined]);
  });

  it('leaves an agent that is supervised when it is closed', { tags: 'long' }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size');
    window.close();
    expect(await door.terminal()).toMatchObject({ name: 'shop', isSupervised: true, activity: 'starting' });
    expect((await door.hosted()).map(({ terminalId, exit }) => ({ terminalId, exit }))).toEqual([
      { terminalId: 'shop', exit: undefined },
    ]);
  });

  it('[H17] ends the attendance of its user where they detach, and not before the last window does', {
    tags: 'long',
  }, async () => {
    const door = openRaw();
    const first = door.open(['claude']);
    await first.until('[size');
    const second = door.open(['attach', 'shop']);
    await second.until('[size');
    expect(await door.terminal()).toMatchObject({ isAttended: true });
    first.type(`${PREFIX}d`);
    await first.until('[rc=0]');
    expect(await door.terminal()).toMatchObject({ isAttended: true });
    second.type(`${PREFIX}d`);
    await second.until('[rc=0]');
    expect(await door.terminal()).toMatchObject({ isAttended: false });
  });

  it('[H16] notices nothing but a line where its supervisor is killed, and so does its agent', {
    tags: 'long',
  }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size');
    const [agent] = await door.hosted();
    const before = await door.supervisorPid();
    process.kill(before, 'SIGKILL');
    await window.until('the supervisor is gone; another one continues');
    const after = await door.supervisorPid(before);
    await until(async () => (await door.terminal())?.isAttended === true);
    window.type('z');
    await window.until('[keys 7a]');
    expect([(await door.hosted())[0]?.pid, await door.supervisorPid()]).toEqual([agent?.pid, after]);
    window.type('q');
    expect(await expectRestored(window)).toContain('[rc=7]');
  });

  it('[H16] is not needed: the host starts a supervisor that is killed while it is away', {
    tags: 'long',
  }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size');
    window.type(`${PREFIX}d`);
    await window.until('[rc=0]');
    const before = await door.supervisorPid();
    process.kill(before, 'SIGKILL');
    await door.supervisorPid(before);
    // The host may hear a moment later than the next supervisor asks that the window is closed.
    await until(async () => {
      const terminal = await door.terminal();
      return terminal?.isSupervised === true && !terminal.isAttended;
    });
    expect(await door.terminal()).toMatchObject({ name: 'shop', isAttended: false });
  });

  it('can be looked at without a key reaching the agent', { tags: 'long' }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size 80x24]');
    const watcher = door.open(['attach', 'shop', '--watch'], { columns: 60, rows: 20 });
    await watcher.until('[size 80x24]');
    watcher.type('a');
    window.type('b');
    expect(await watcher.until('[keys 62]')).not.toContain('[keys 61]');
    watcher.type('\u0003');
    expect(await expectRestored(watcher)).toContain('[rc=0]');
    expect(window.text).not.toContain('60x20');
  });
});

describe('terminals by name', () => {
  it('are listed, stopped with everything they started, and told from names that are none', async () => {
    const { file, args } = fixtureAgent('forks-children');
    const door = openFrontDoor([file, ...args]);
    const window = door.open(['claude']);
    const { pids } = JSON.parse(/\{"pids":.*?\}/.exec(await window.until(/\{"pids":.*?\}/))?.[0] ?? '') as {
      pids: number[];
    };

    const { terminals } = JSON.parse((await door.run('--json')).stdout) as { terminals: object[] };
    expect(terminals).toMatchObject([{ name: 'shop', agent: 'claude', folder: door.project, isSupervised: true }]);
    expect((await door.run('attach', 'shpo')).stderr).toContain('attaching needs a terminal');
    expect(await door.run('stop', 'shpo')).toMatchObject({
      exitCode: 1,
      stderr: 'devs: there is no terminal or run "shpo". Did you mean shop? There is: shop\n',
    });
    expect(await door.run('stop', '../../etc')).toMatchObject({ exitCode: 1 });

    const stopped = JSON.parse((await door.run('stop', 'sh', '--json')).stdout) as { ended: { pid: number }[] };
    expect(stopped).toMatchObject({ name: 'shop', wasRunning: true, left: [] });
    expect(stopped.ended.map(({ pid }) => pid).sort()).toEqual([...pids].sort());
    expect(pids.filter(isAlive)).toEqual([]);
    await window.until('[end]');
    expect(await door.run('stop', 'shop')).toMatchObject({
      exitCode: 0,
      stdout: 'shop was not running. Open its conversation again with `devs resume shop`.\n',
    });
  });

  it('get the next number while they run, and are free again afterwards', { tags: 'long' }, async () => {
    const door = openRaw();
    const [first, second] = [door.open(['claude']), door.open(['claude'])];
    await Promise.all([first.until('[size'), second.until('[size')]);
    expect((await door.hosted()).map(({ terminalId }) => terminalId).sort()).toEqual(['shop', 'shop-2']);
    const third = door.open(['--name', 'shop', 'claude']);
    expect(await third.until('[end]')).toContain('devs: a terminal "shop" runs already.');
    const bad = door.open(['--name', '../x', 'claude']);
    expect(await bad.until('[end]')).toMatch(/is no name for a terminal.*\[rc=2\]/s);
    await door.run('stop', 'shop');
    await until(async () => (await door.hosted()).length === 1);
    const again = door.open(['claude']);
    await again.until('[size');
    expect((await door.hosted()).map(({ terminalId }) => terminalId).sort()).toEqual(['shop', 'shop-2']);
  });

  it('keep what they store for their user alone', { tags: 'long' }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size');
    const modes = filesBelow(join(door.stateFolder, 'devs', 'terminals')).map(
      async (path) => [path, (await stat(path)).mode & 0o077] as const,
    );
    expect((await Promise.all(modes)).filter(([, mode]) => mode !== 0)).toEqual([]);
  });

  it('are ended where a stop was recorded and its supervisor was killed before it ended the agent', {
    tags: 'long',
  }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size');
    const [agent] = await door.hosted();
    process.kill(await door.supervisorPid(), 'SIGKILL');
    await recordStop(door);
    await window.until('[end]');
    await until(() => !isAlive(agent?.pid ?? 0));
    expect(await door.run('stop', 'shop')).toMatchObject({ exitCode: 0 });
  });

  it('tell by which signal their agent was ended', { tags: 'long' }, async () => {
    const door = openRaw();
    const window = door.open(['claude']);
    await window.until('[size');
    const [agent] = await door.hosted();
    process.kill(agent?.pid ?? 0, 'SIGKILL');
    expect(await window.until('[end]')).toContain('[rc=137]');
    expect(JSON.parse((await door.run('--json')).stdout)).toMatchObject({
      terminals: [{ detail: 'was ended by SIGKILL', needs: { kind: 'crashed' } }],
    });
  });

  it('tell a program of the user what happens, as one argument', { tags: 'long' }, async () => {
    const door = openRaw();
    const told = join(door.home, 'told');
    const script = `require("node:fs").writeFileSync(${JSON.stringify(told)}, JSON.stringify([process.argv.slice(1), process.env.DEVS_NOTICE]))`;
    const window = door.open(['claude'], {
      env: { DEVS_NOTIFY_COMMAND: JSON.stringify([process.execPath, '-e', script, '--']) },
    });
    await window.until('[size');
    const [agent] = await door.hosted();
    process.kill(agent?.pid ?? 0, 'SIGUSR2'); // an end that the user has typed needs no telling
    await window.until('[end]');
    await until(() => existsSync(told) && readFileSync(told, 'utf8') !== '');
    expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual([['shop has ended with exit code 0'], 'done']);
  });
});

/** As far as a `devs stop` came that was killed. */
async function recordStop(door: FrontDoor): Promise<void> {
  const { store } = JSON.parse(
    readFileSync(join(door.stateFolder, 'devs', 'terminals', 'names', 'shop.json'), 'utf8'),
  ) as { store: { file: string } };
  const opened = openStore({
    backend: openSqliteBackend({ file: store.file }),
    clock: { now: Date.now },
    newId: randomUUID,
  });
  const stream = terminalStream('shop');
  const version = (await opened.log.read({ stream, after: 0, limit: 1_000 })).at(-1)?.version ?? 0;
  expect(await opened.log.append(stream, version, [{ type: 'terminal.stopped', data: {} }])).toMatchObject({
    status: 'appended',
  });
  await opened.close();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...filesBelow(path)] : [path];
  });
