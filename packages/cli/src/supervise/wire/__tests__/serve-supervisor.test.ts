import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SupervisorPort } from '@devs/supervisor';
import type { Seat } from '@devs/terminals/admission';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectSupervisor } from '../connect-supervisor.js';
import { WIRE_VERSION } from '../messages.js';
import { serveSupervisor } from '../serve-supervisor.js';

async function openServed(seat: Seat = { kind: 'outside' }) {
  const folder = mkdtempSync(join(tmpdir(), 'devs-served-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const socketPath = join(folder, 's.sock');
  const port = { status: async () => ({ pid: 7 }) } as unknown as SupervisorPort;
  const served = await serveSupervisor({
    port,
    version: '1.0.0',
    socketPath,
    seatOf: () => seat,
    onClients() {},
  });
  onTestFinished(() => served.close());
  /** A client without any protocol. */
  const connect = async () => {
    const socket = createConnection(socketPath);
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const asksWell = async () => {
    const client = await connectSupervisor(socketPath, '1.0.0');
    onTestFinished(() => client?.close());
    return client?.port.status();
  };
  const proofs = () => readdirSync(folder).filter((name) => name.startsWith('proof-'));
  return { folder, socketPath, connect, asksWell, proofs };
}

/** All that it hears until the other side hangs up. */
const heard = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => {}); // hung up on while it wrote
    socket.once('close', () => resolve(text));
  });

const HELLO = JSON.stringify({ hello: { wire: WIRE_VERSION, version: '1.0.0', pid: process.pid } });
const DEEP = 1_000;

describe('the socket of the supervisor', () => {
  it.each([
    ['a greeting that is null', '{"hello":null}'],
    ['a greeting that is a list', '{"hello":[]}'],
    ['a greeting that is a number', '{"hello":7}'],
    [
      'a process that is a deep list',
      `{"hello":{"wire":${WIRE_VERSION},"pid":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}}\n{}`,
    ],
    ['a proof without a greeting', '{"proved":true}'],
    ['a question without a greeting', '{"ask":1,"method":"shutdown","params":["pause"]}'],
    ['two greetings', `${HELLO}\n${HELLO}`],
  ])('refuses %s, and serves all others as before', async (_, lines) => {
    const { connect, asksWell, proofs } = await openServed();
    const socket = await connect();
    const all = heard(socket);

    socket.write(`${lines}\n`);

    expect(await all).toContain('"refused"');
    expect(await asksWell()).toEqual({ pid: 7 });
    expect(proofs()).toEqual([]);
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['JSON that is no object', 'null\n'],
    ['an endless nesting', `${'['.repeat(3_000)}\n`],
    ['an endless line', 'x'.repeat(1 << 20)],
  ])('hangs up on %s, and serves all others as before', async (_, text) => {
    const { connect, asksWell } = await openServed();
    const socket = await connect();
    const all = heard(socket);

    socket.write(text);

    expect(await all).toBe('');
    expect(await asksWell()).toEqual({ pid: 7 });
  });

  it('refuses a caller whose proof has no place on the disk', async () => {
    const { folder, connect, asksWell } = await openServed();
    const socket = await connect();
    const all = heard(socket);
    renameSync(folder, `${folder}-away`);

    socket.write(`${HELLO}\n`);

    expect(await all).toContain('ENOENT');
    renameSync(`${folder}-away`, folder);
    expect(await asksWell()).toEqual({ pid: 7 });
  });

  it.each<Seat>([
    { kind: 'inside', terminalId: 'shop' },
    { kind: 'inside', terminalId: undefined },
  ])('[S10] refuses a caller inside any terminal of devs: %j', async (seat) => {
    const { asksWell } = await openServed(seat);

    await expect(asksWell()).rejects.toThrow('inside of a terminal of devs. Ask from another window');
  });

  it('is for the user alone', async () => {
    const { socketPath } = await openServed();

    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
  });
});
