import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueChallenge } from '@devs/terminals/admission';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Limits } from '../listen/limits.js';
import { createFakeSupervisor } from './fake-supervisor.js';
import { ask, openWorld, SHOP, storeRun, type World } from './world.js';

let world: World;
const openServer = async (limits: Partial<Limits> = {}) => {
  const supervisor = createFakeSupervisor({ terminals: ['shop', 'bank'], runs: { shop: 'abc', bank: 'def' } });
  world = await openWorld({ supervisor, clock: STOPPED, limits: { ...PATIENT, ...limits } });
};
/** In place of the server that waits long: a busy machine is slow to ask, and only tests of the limits are quick to refuse. */
const openImpatient = async (limits: Partial<Limits>) => {
  await world.dispose();
  await openServer({ checkMs: 100, ...limits });
};
const STOPPED = { now: () => 1_800_000_000_000 };
const PATIENT = { headersMs: 60_000, requestMs: 60_000, helloMs: 60_000 };

beforeEach(() => openServer());
afterEach(async () => {
  expect(world.bugs).toEqual([]);
  await world.dispose();
});

/** A capability of the owner, as its process holds it. */
async function ownerToken(): Promise<string> {
  const { challenge } = JSON.parse((await ask(world, { method: 'POST', path: '/v1/hello' })).text);
  const { meetChallenge } = await import('@devs/terminals/admission');
  const proof = meetChallenge(world.folder, challenge);
  const body = JSON.stringify({ challenge, pid: process.pid });
  const { token } = JSON.parse((await ask(world, { method: 'POST', path: '/v1/prove', body })).text);
  proof.close();
  return token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the folder of the socket', () => {
  it.each([0o755, 0o750, 0o711, 0o777])('is refused with the mode %o', async (mode) => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-open-'));
    chmodSync(folder, mode);
    const admission = { issueChallenge: () => issueChallenge(folder), seatOf: () => ({ kind: 'outside' }) as const };

    await expect(world.server.listenSocket(join(folder, 'api.sock'), admission)).rejects.toThrow('has the mode');
    rmSync(folder, { recursive: true });
  });

  it.runIf(process.getuid?.() === 0)('is refused where it belongs to another user', async () => {
    const { chownSync } = await import('node:fs');
    const folder = mkdtempSync(join(tmpdir(), 'devs-other-'));
    chownSync(folder, 65_534, 65_534);
    const admission = { issueChallenge: () => issueChallenge(folder), seatOf: () => ({ kind: 'outside' }) as const };

    await expect(world.server.listenSocket(join(folder, 'api.sock'), admission)).rejects.toThrow('another user');
    rmSync(folder, { recursive: true });
  });

  it('holds a socket for the user alone', async () => {
    expect((await stat(world.socketPath)).mode & 0o777).toBe(0o600);
    expect((await stat(world.folder)).mode & 0o777).toBe(0o700);
  });

  it('holds one supervisor: a socket that is answered is not replaced', async () => {
    const admission = {
      issueChallenge: () => issueChallenge(world.folder),
      seatOf: () => ({ kind: 'outside' }) as const,
    };

    await expect(world.server.listenSocket(world.socketPath, admission)).rejects.toThrow('another process listens');
  });
});

describe('a caller without a capability', () => {
  it.each(['', 'Bearer', 'Bearer wrong', 'Basic b3duZXI6', 'Bearer a b', `Bearer ${'x'.repeat(5_000)}`])(
    'is refused: %j',
    async (authorization) => {
      const answer = await ask(world, { path: '/v1/status', headers: authorization === '' ? {} : { authorization } });

      expect(answer.status).toBe(401);
      expect(world.supervisor.asked).toEqual([]);
    },
  );

  it('gets none for a process that did not open the challenge', async () => {
    const { challenge } = JSON.parse((await ask(world, { method: 'POST', path: '/v1/hello' })).text);
    const body = JSON.stringify({ challenge, pid: process.ppid });

    expect((await ask(world, { method: 'POST', path: '/v1/prove', body })).status).toBe(403);
  });

  it('gets none for a challenge that was used', async () => {
    const { challenge } = JSON.parse((await ask(world, { method: 'POST', path: '/v1/hello' })).text);
    const body = JSON.stringify({ challenge, pid: process.pid });
    await ask(world, { method: 'POST', path: '/v1/prove', body });

    expect((await ask(world, { method: 'POST', path: '/v1/prove', body })).status).toBe(403);
  });

  it('cannot fill the folder with challenges', async () => {
    const answers = await Promise.all(
      Array.from({ length: 80 }, () => ask(world, { method: 'POST', path: '/v1/hello' })),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(64);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
  });

  it('finds no login on the socket', async () => {
    expect((await ask(world, { method: 'POST', path: '/v1/login', body: '{"key":"a"}' })).status).toBe(404);
  });
});

describe("an agent's capability", () => {
  beforeEach(async () => {
    await storeRun(world.opened, 'abc', 'shop');
    await storeRun(world.opened, 'def', 'bank');
    world.seat = { kind: 'inside', terminalId: 'shop' };
  });

  it('reads its own run and terminal', async () => {
    const client = await world.connect();

    expect(client.scope).toBe('agent');
    expect(await client.call('runs.get', { run: 'abc' })).toMatchObject({ id: 'abc' });
    expect(await client.call('terminals.get', { terminal: 'shop' })).toMatchObject({ name: 'shop' });
  });

  it('reaches nothing else', async () => {
    const client = await world.connect();
    const refused = { code: 'not-allowed' };

    await expect(client.call('runs.get', { run: 'def' })).rejects.toMatchObject(refused);
    await expect(client.call('runs.report', { run: 'def' })).rejects.toMatchObject(refused);
    await expect(client.call('terminals.get', { terminal: 'bank' })).rejects.toMatchObject(refused);
    await expect(client.call('terminals.screen', { terminal: 'bank' })).rejects.toMatchObject(refused);
    await expect(client.call('terminals.send', { terminal: 'shop', text: 'x' })).rejects.toMatchObject(refused);
    await expect(client.call('terminals.keys', { terminal: 'shop', keys: 'x' })).rejects.toMatchObject(refused);
    await expect(client.call('runs.answer', { run: 'abc', answer: 'yes' })).rejects.toMatchObject(refused);
    await expect(client.call('runs.merge', { run: 'abc' })).rejects.toMatchObject(refused);
    await expect(client.call('log.read', { project: SHOP })).rejects.toMatchObject(refused);
    await expect(client.call('projects.list', {})).rejects.toMatchObject(refused);
    await expect(client.call('links.make', {})).rejects.toMatchObject(refused);
    await expect(client.call('supervisor.shutdown', { how: 'leave' })).rejects.toMatchObject(refused);
    expect(world.supervisor.asked.filter(({ operation }) => operation !== 'terminals.list')).toEqual([]);
  });

  it('is worth nothing where the kernel does not name its terminal', async () => {
    world.seat = { kind: 'inside', terminalId: undefined };
    const client = await world.connect();

    await expect(client.call('runs.get', { run: 'abc' })).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(client.call('terminals.get', { terminal: 'shop' })).rejects.toMatchObject({ code: 'not-allowed' });
  });
});

describe('a path', () => {
  it.each([
    '/v1/runs/..%2f..%2fstatus',
    '/v1/runs/../../etc/passwd',
    '/v1/runs/%00',
    '/v1/runs/%2e%2e',
    '/v1/runs/a%2Fb',
    '/v1/runs/%',
    '/v1/runs/abc;rm',
    '/v1/terminals/..%5c..%5cx/screen',
    '/v1//status',
    '/v1/status/',
    '/V1/status',
    '/v1/../v1/nothing',
    '//v1/status',
    '/v1/runs?project[]=x',
    '/v1/runs?limit=-1',
    '/v1/runs?limit=1e999',
    '/v1/runs?what=1',
    '/v1/log?project=/shop&stream=../x%00',
  ])('with a trick is refused: %s', async (path) => {
    const { status } = await ask(world, { path, headers: bearer(await ownerToken()) });

    expect([400, 404]).toContain(status);
  });
});

describe('a body', () => {
  it('that is larger than allowed is refused without being read', async () => {
    const body = JSON.stringify({ terminal: 'shop', keys: 'x'.repeat(300 << 10) });
    const path = '/v1/terminals/shop/keys';

    expect(await ask(world, { method: 'POST', path, headers: bearer(await ownerToken()), body })).toMatchObject({
      status: 413,
    });
  });

  it('without an end is not read to its end: its connection is closed', async () => {
    const socket = await open(
      `POST /v1/runs/abc/stop HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await ownerToken()}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const writing = setInterval(() => socket.write(chunk), 1);

    await textUntilClosed(socket); // 413, for who stops to listen
    clearInterval(writing);
    expect(world.supervisor.asked).toEqual([]);
  });

  it('of a caller without a capability is not read at all', async () => {
    const socket = await open('POST /v1/runs/abc/stop HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n');

    expect(await textUntil(socket, 'no-capability')).toContain('401');
    socket.destroy();
  });

  it.each([
    '[1]',
    'null',
    '"x"',
    '{',
    '',
    '{"now":"yes"}',
    '{"now":true,"more":1}',
    '{"__proto__":{"now":true},"x":1}',
  ])('that does not match the table is refused: %s', async (body) => {
    const path = '/v1/terminals/shop/send';

    expect(await ask(world, { method: 'POST', path, headers: bearer(await ownerToken()), body })).toMatchObject({
      status: 400,
    });
    expect(world.supervisor.asked).toEqual([]);
  });
});

describe('a slow caller', () => {
  it('that never ends its headers is closed', async () => {
    await openImpatient({ headersMs: 300 });
    const socket = await open('GET /v1/status HTTP/1.1\r\nhost: x\r\n');

    expect(await textUntilClosed(socket)).toContain('408');
  });

  it('that never ends its body is closed', async () => {
    await openImpatient({ headersMs: 3_000, requestMs: 3_000 });
    const token = await ownerToken();
    const socket = await open(
      `POST /v1/runs/abc/stop HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 100\r\n\r\n{`,
    );

    await textUntilClosed(socket);
    expect(world.supervisor.asked).toEqual([]);
  });

  it('does not keep others from being answered', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => open('GET /v1/status HTTP/1.1\r\n')));

    expect((await ask(world, { path: '/v1/status', headers: bearer(await ownerToken()) })).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  it.each(['\0\0\0\0', 'GET\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`])(
    'that speaks no HTTP is closed',
    async (text) => {
      expect(await textUntilClosed(await open(text))).toMatch(/^HTTP\/1\.1 4|^$/);
    },
  );
});

describe('a WebSocket', () => {
  const openLive = (path = '/v1/live') =>
    new WebSocket(`ws://x${path}`, { createConnection: () => connect(world.socketPath) });
  const closedWith = (socket: WebSocket) =>
    new Promise<number>((resolve) => {
      socket.on('error', () => {});
      socket.on('close', (code) => resolve(code));
    });
  const say = (socket: WebSocket, ...messages: (string | Buffer)[]) =>
    socket.on('open', () => messages.forEach((message) => void socket.send(message)));

  it('that says nothing is closed', async () => {
    await openImpatient({ helloMs: 300 });
    expect(await closedWith(openLive())).toBe(4401);
  });

  it.each([
    '{"type":"hello","token":"wrong"}',
    '{"type":"subscribe","channel":0,"subscription":{"to":"notices"}}',
    'x',
    Buffer.from([0, 1, 2]),
  ])('that begins without a capability is closed: %s', async (message) => {
    const socket = openLive();
    say(socket, message);

    expect(await closedWith(socket)).toBe(4401);
  });

  it.each(['x', '[]', '{"type":"unknown"}', '{"type":"ack","channel":70000,"offset":0}'])(
    'that sends an invalid message is closed: %s',
    async (message) => {
      const hello = JSON.stringify({ type: 'hello', token: await ownerToken() });
      const socket = openLive();
      say(socket, hello, message);

      expect(await closedWith(socket)).toBe(4400);
    },
  );

  it('that says too much at once is closed', async () => {
    const hello = JSON.stringify({ type: 'hello', token: await ownerToken() });
    const socket = openLive();
    say(socket, hello, 'x'.repeat(70_000));

    expect(await closedWith(socket)).toBe(1009);
  });

  it('with frames that are none is closed', async () => {
    const head =
      'GET /v1/live HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    const socket = await open(head);
    await textUntil(socket, '\r\n\r\n');
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff])); // reserved bits, unknown opcode

    await textUntilClosed(socket);
  });

  it('at another path is refused', async () => {
    const socket = openLive('/v1/status');

    expect(await closedWith(socket)).toBe(1006);
  });
});

/** A connection that has said this. */
const open = (text: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(world.socketPath, () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on('error', () => {});
  });

const textUntilClosed = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (part) => {
      text += part.toString();
    });
    socket.on('close', () => resolve(text));
  });

const textUntil = (socket: Socket, expected: string): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (part) => {
      text += part.toString();
      if (text.includes(expected)) resolve(text);
    });
  });
