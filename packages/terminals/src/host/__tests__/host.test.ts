import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rounds, until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectHost } from '../../client/connect-host.js';
import { isAlive } from '../../processes/process-identity.js';
import { endHost, fixtureAgent, openTestHost, watchText } from '../../testing/index.js';
import { readHostRecord, writeHostRecord } from '../host-record.js';

/** Even on a busy machine, a host must not end before its starter has reached it. */
const GRACE_MS = 10_000;

async function testHost() {
  const test = await openTestHost();
  onTestFinished(test.dispose);
  return test;
}

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'devs-host-'));
  onTestFinished(async () => {
    await endHost(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

describe('starting a host', () => {
  it('gives one host to however many ask at once', async () => {
    const folder = temporaryFolder();
    const connected = await Promise.all(Array.from({ length: 8 }, () => connectHost({ folder, graceMs: GRACE_MS })));

    expect(new Set(connected.map(({ host }) => host.instance)).size).toBe(1);
    expect(connected.filter(({ started }) => started)).toHaveLength(1);
    for (const { host } of connected) host.close();
  });

  it('is for the user alone', async () => {
    const { folder } = await testHost();
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await modeOf(folder)).toBe('700');
    expect(await modeOf(join(folder, 'host.sock'))).toBe('600');
    expect(await modeOf(join(folder, 'host.json'))).toBe('600');
  });

  it('removes the remains of a dead host, known by its start time and not by its pid alone', async () => {
    const folder = temporaryFolder();
    const dead = {
      pid: process.pid,
      started: 'before the last boot',
      instance: 'old',
      protocol: 1,
      origin: [],
      terminals: [],
    };
    writeHostRecord(folder, dead);
    writeFileSync(join(folder, 'host.sock'), '');

    const { host, started } = await connectHost({ folder, graceMs: GRACE_MS });
    expect(started).toBe(true);
    expect(host.instance).not.toBe('old');
    host.close();
  });

  it('does not wait for a lock whose holder has died', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'start.lock'), JSON.stringify({ pid: process.pid, started: 'before the last boot' }));
    const { host } = await connectHost({ folder, graceMs: GRACE_MS });
    host.close();
    expect(readdirSync(folder).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('says what to do when the path is too long for a socket', async () => {
    const folder = join(temporaryFolder(), 'x'.repeat(120));
    await expect(connectHost({ folder })).rejects.toThrow(/shorter path/);
  });

  it('ends by itself only when it holds no terminal and no client is connected', async () => {
    const { host, folder, spawn } = await testHost();
    const record = readHostRecord(folder);
    if (record === undefined) throw new Error('no record');
    await spawn({ terminalId: 'a', ...fixtureAgent('answers') });
    host.close();
    // As long as an empty host takes.
    const other = temporaryFolder();
    const { host: empty } = await connectHost({ folder: other, graceMs: 800 });
    const emptyRecord = readHostRecord(other);
    empty.close();
    await until(() => emptyRecord !== undefined && !isAlive(emptyRecord));
    expect(isAlive(record)).toBe(true);

    const { host: again } = await connectHost({ folder });
    await again.end('a', { graceMs: 2_000 });
    await again.forget('a');
    again.close();
    await until(() => !isAlive(record));
    expect(readdirSync(folder).filter((name) => name.startsWith('host.s') || name === 'host.json')).toEqual([]);
  });

  it('survives a client that speaks another language', async () => {
    const { host, folder } = await testHost();
    const stranger = createConnection(join(folder, 'host.sock'));
    stranger.write('GET / HTTP/1.1\r\n\r\n');
    await new Promise((resolve) => stranger.once('close', resolve));
    expect(await host.list()).toEqual([]);
  });
});

describe('a hosted terminal', () => {
  it('[H16] continues without its client, and the next client finds everything printed meanwhile', async () => {
    const { host, spawn, connectAgain } = await testHost();
    const terminal = await spawn({ terminalId: 'a', ...fixtureAgent('answers') });
    const first = await watchText(host, 'a');
    await first.until('> ');
    host.close();

    const again = await connectAgain();
    await again.write(terminal, 'still there?\r');
    const second = await watchText(again, 'a');
    await second.until('You said: still there?');
    expect(second.text.startsWith(first.text)).toBe(true);
    expect(await again.list()).toMatchObject([{ terminalId: 'a', pid: terminal.pid }]);
  });

  it('is refused with a reason where it cannot start', async () => {
    const { host, folder, spawn } = await testHost();
    const request = { args: [], cwd: folder, env: {}, columns: 80, rows: 24 };
    await spawn({ terminalId: 'a', ...fixtureAgent('answers') });

    const refused = [
      await host.spawn({ ...request, terminalId: 'a', file: process.execPath }),
      await host.spawn({ ...request, terminalId: 'b', file: 'no-such-program' }),
      await host.spawn({ ...request, terminalId: 'b', file: process.execPath, cwd: join(folder, 'nowhere') }),
      await host.spawn({ ...request, terminalId: '../b', file: process.execPath }),
    ];
    expect(refused.map((outcome) => outcome.kind === 'refused' && outcome.refusal)).toEqual([
      'already-running',
      'not-found',
      'no-folder',
      'bad-request',
    ]);
  });

  it('gets its own environment, folder, size and umask, and no descriptor of another terminal', async () => {
    const { host, folder, spawn } = await testHost();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      await spawn({ terminalId: name, ...fixtureAgent('ignores-sigterm') });
    }
    for (const name of ['a', 'b', 'c', 'd']) await host.end(name, { graceMs: 0 }); // leaves holes between the others

    const script = 'umask; pwd; stty size; echo "<$SECRET>"; sleep 1000';
    const terminal = await spawn({
      terminalId: 'z',
      file: 'sh',
      args: ['-c', script],
      env: { SECRET: 'x' },
      columns: 100,
      rows: 30,
      umask: 0o027,
    });
    const { text } = await watchText(host, 'z').then(async (watched) => ({ text: await watched.until('<x>') }));
    expect(text.split('\r\n').slice(0, 4)).toEqual(['0027', folder, '30 100', '<x>']);
    if (process.platform !== 'linux') return;
    const ours = (await host.list()).flatMap(({ pid, exit }) => (exit === undefined ? [ptsOf(pid)] : []));
    expect(heldPtys(terminal.pid).filter((pts) => ours.includes(pts))).toEqual([]);
  });

  it('that does not read blocks no other: excess input is refused', async () => {
    const { host, spawn } = await testHost();
    // In line mode a terminal discards excess input, so it is never full.
    const deaf = await spawn({
      terminalId: 'deaf',
      file: 'sh',
      args: ['-c', 'stty raw -echo; echo ready; sleep 1000'],
    });
    await (await watchText(host, 'deaf')).until('ready');
    const other = await spawn({ terminalId: 'other', ...fixtureAgent('answers') });
    const writes = Array.from({ length: 6 }, () => host.write(deaf, Buffer.alloc(1 << 20, 'x')));
    await expect(writes[5]).resolves.toBe('input-backlog');

    const watched = await watchText(host, 'other');
    await watched.until('> ');
    await expect(host.write(other, 'hello\r')).resolves.toBe('written');
    await watched.until('You said: hello');
    await host.end('deaf', { graceMs: 1_000 });
    await expect(writes[0]).resolves.toBe('exited');
  });

  it('takes a long input whole', async () => {
    const { host, spawn } = await testHost();
    const script = 'stty raw -echo; echo ready; sleep 0.2; head -c 1000000 | cksum';
    const terminal = await spawn({ terminalId: 'a', file: 'sh', args: ['-c', script] });
    const watched = await watchText(host, 'a');
    await watched.until('ready');
    const [text] = await Promise.all([
      watched.until(/\d+ 1000000/),
      host.write(terminal, Buffer.alloc(1_000_000, 'abc')),
    ]);
    expect(text).toContain('1000000');
  });

  it('reports how it ended', async () => {
    const { host, spawn } = await testHost();
    await spawn({ terminalId: 'a', file: 'sh', args: ['-c', 'exit 7'] });
    await spawn({ terminalId: 'b', file: 'sh', args: ['-c', 'kill -9 $$'] });
    const exits = await Promise.all(['a', 'b'].map(async (name) => (await (await watchText(host, name)).exited).exit));
    expect(exits).toMatchObject([
      { exitCode: 7, tail: 'complete' },
      { signal: 9, tail: 'complete' },
    ]);
    await expect(host.resize('a', { columns: 10, rows: 10 })).rejects.toMatchObject({ refusal: 'exited' });
    await expect(host.resize('no', { columns: 10, rows: 10 })).rejects.toMatchObject({ refusal: 'unknown-terminal' });
  });

  it('starts again under its name once it has ended', async () => {
    const { host, spawn } = await testHost();
    const first = await spawn({ terminalId: 'a', file: 'true' });
    await (await watchText(host, 'a')).exited;
    const second = await spawn({ terminalId: 'a', file: 'echo', args: ['second'] });
    expect(second.handle).not.toBe(first.handle);
    expect(await (await watchText(host, 'a')).until('second')).toBe('second\r\n');
  });

  it('[R2] is ended by the supervisor that gives it up, unless another one has taken it since', async () => {
    const { host, spawn, connectAgain } = await testHost();
    await spawn({ terminalId: 'a', file: 'sleep', args: ['1000'] });
    const other = await connectAgain();
    await host.hold('a', 'first');
    await other.hold('a', 'second');
    await expect(host.end('a', { graceMs: 100, holder: 'first' })).rejects.toMatchObject({
      refusal: 'held-by-another',
    });
    expect((await host.list())[0]?.exit).toBeUndefined();
    expect(await other.end('a', { graceMs: 1_000, holder: 'second' })).toMatchObject({ manner: 'polite' });
  });
});

describe('[H22] the last bytes before an exit', () => {
  it('arrive, every time, with a busy host too', async () => {
    const { host, spawn } = await testHost();
    await spawn({ terminalId: 'noise', ...fixtureAgent('prints-a-lot', 2 ** 40), log: false });
    const script = 'process.stdout.write("x".repeat(100_000) + "THE END"); process.exitCode = 3';
    const results: unknown[] = [];
    const total = rounds(10, 1_500);
    for (let round = 0; round < total; round += 5) {
      const names = Array.from({ length: 5 }, (_, index) => `t${round + index}`);
      await Promise.all(
        names.map(async (terminalId) => {
          await spawn({ terminalId, file: process.execPath, args: ['-e', script] });
          const watched = await watchText(host, terminalId);
          const { exit } = await watched.exited;
          results.push([watched.text.length, watched.text.endsWith('THE END'), exit?.exitCode, exit?.tail]);
          await host.forget(terminalId);
        }),
      );
    }
    expect(results).toEqual(Array.from({ length: total }, () => [100_007, true, 3, 'complete']));
  });

  it('arrive although the user had stopped the output', async () => {
    const { host, folder, spawn } = await testHost();
    const [begin, begun] = [join(folder, 'begin'), join(folder, 'begun')];
    const script = 'echo go; while [ ! -e "$1" ]; do sleep 0.02; done; touch "$2"; echo more';
    const terminal = await spawn({ terminalId: 'a', file: 'sh', args: ['-c', script, 'sh', begin, begun] });
    const watched = await watchText(host, 'a');
    await watched.until('go');
    await host.write(terminal, '\u0013'); // Ctrl-S: `echo` now waits for it to be lifted
    writeFileSync(begin, '');
    await until(() => existsSync(begun));
    expect(watched.text).not.toContain('more');
    await host.write(terminal, '\u0011');
    await watched.exited;
    expect(watched.text).toContain('more');
  });

  it('arrive although the agent was killed while the output was stopped', async () => {
    const { host, spawn } = await testHost();
    const terminal = await spawn({ terminalId: 'a', file: 'sh', args: ['-c', 'echo go; sleep 1000'] });
    const watched = await watchText(host, 'a');
    await watched.until('go');
    await host.write(terminal, '\u0013');
    await host.end('a', { graceMs: 1_000 });
    expect((await watched.exited).exit).toMatchObject({ signal: 15, tail: 'complete' });
  });
});

describe('viewers', () => {
  it('that are slow delay no others, and learn what they missed', async () => {
    const { host, folder, spawn, connectAgain } = await testHost();
    const total = rounds(12, 40) << 20;
    const slow = createConnection(join(folder, 'host.sock'));
    onTestFinished(() => void slow.destroy());
    const ask = (request: number, method: string, params: object) => {
      const json = Buffer.from(JSON.stringify({ request, method, params }));
      const head = Buffer.alloc(5);
      head.writeUInt32BE(json.length + 1, 0);
      head.writeUInt8(1, 4);
      slow.write(Buffer.concat([head, json]));
    };
    await spawn({ terminalId: 'a', ...fixtureAgent('prints-a-lot', total), ringBytes: 256 << 10 });
    ask(1, 'watch', { terminalId: 'a', from: 0 });
    slow.pause(); // and never reads

    const quick = await watchText(await connectAgain(), 'a');
    const { output, exit } = await quick.exited;
    expect(exit?.tail).toBe('complete');
    expect(output.end).toBe(total + total / 1_024 + 5); // a carriage return for each line
    expect(quick.text.length + quick.skippedBytes).toBe(output.end);
    const memory = process.platform === 'linux' ? readFileSync(`/proc/${host.pid}/statm`, 'utf8').split(' ')[1] : '0';
    expect(Number(memory) * 4_096).toBeLessThan(400 << 20);

    const late = await watchText(host, 'a');
    await late.exited;
    expect(late.text.endsWith('END\r\n')).toBe(true);
    expect(late.text.length).toBe(output.end - output.start);
  });

  it('of a quiet terminal are served while another one prints as fast as it can', async () => {
    const { host, spawn } = await testHost();
    const noisy = ['n1', 'n2'];
    for (const terminalId of noisy) await spawn({ terminalId, ...fixtureAgent('prints-a-lot', 2 ** 40) });
    const quiet = await spawn({ terminalId: 'quiet', ...fixtureAgent('answers') });
    await Promise.all(noisy.map((name) => watchText(host, name)));
    const watched = await watchText(host, 'quiet');
    await watched.until('> ');
    for (let round = 0; round < 10; round++) {
      await host.write(quiet, `round ${round}\r`);
      await watched.until(`You said: round ${round}`);
    }
    expect(watched.skippedBytes).toBe(0);
  });
});

/** The number of the terminal that a process reads from. */
const ptsOf = (pid: number) => linkOf(`/proc/${pid}/fd/0`).replace('/dev/pts/', '');

/** The numbers of the terminals whose other side a process holds open. */
function heldPtys(pid: number): readonly string[] {
  const masters = readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).includes('ptmx'));
  return masters.map(
    (fd) => /^tty-index:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? fd,
  );
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
