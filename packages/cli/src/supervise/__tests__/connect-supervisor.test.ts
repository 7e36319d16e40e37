import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@devs/api';
import type { Seat } from '@devs/terminals/admission';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CliError } from '../../cli-error.js';
import { connectSupervisor, SupervisorLostError } from '../connect-supervisor.js';
import { serveFake } from './serve-fake.js';

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'devs-asked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 's.sock');
}

describe('a command that asks the supervisor', () => {
  it('is told where the supervisor listens and does not answer', async () => {
    const path = openFolder();
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });

    const error = await connectSupervisor(path, { greetingMs: 20 }).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(CliError);
    expect(String(error)).toContain(`at ${path} does not answer`);
  });

  it('finds no supervisor where none listens', async () => {
    expect(await connectSupervisor(openFolder())).toBeUndefined();
  });

  it.each<Seat>([
    { kind: 'inside', terminalId: 'shop' },
    { kind: 'inside', terminalId: undefined },
  ])('[S10] is refused inside any terminal of devs: %j', async (seat) => {
    const path = openFolder();
    await serveFake(path, '1.0.0', { seat });

    await expect(connectSupervisor(path)).rejects.toThrow('inside of a terminal of devs. Ask from another window');
  });

  it('hears why it is refused, and gets nothing for what is not known', async () => {
    const path = openFolder();
    const refuse = (code: 'conflict' | 'not-found') => () => Promise.reject(new ApiError(code, 'the shop is closed'));
    const handlers = { 'terminals.renew': refuse('conflict'), 'runs.wait': refuse('not-found') };
    await serveFake(path, '1.0.0', { handlers });
    const client = await connectSupervisor(path);

    await expect(client?.port.terminals.renew('shop', { dropsDraft: false })).rejects.toThrow('the shop is closed');
    expect(await client?.port.runs.wait('run-1', { seen: 0 })).toBeUndefined();
    client?.close();
  });

  it('gets nothing where it does not wait any more', async () => {
    const path = openFolder();
    const waiting = new AbortController();
    let gone: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const wait = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>(() => {
        signal.addEventListener('abort', gone);
        waiting.abort();
      });
    await serveFake(path, '1.0.0', { handlers: { 'runs.wait': wait } });
    const client = await connectSupervisor(path);

    expect(await client?.port.runs.wait('run-1', { seen: 0 }, waiting.signal)).toBeUndefined();
    await left; // the supervisor knows as well
    client?.close();
  });

  it('notices that another supervisor has replaced the first', async () => {
    const path = openFolder();
    const first = await serveFake(path, '1.0.0');
    const client = await connectSupervisor(path);
    await first.close();
    await serveFake(path, '1.0.0');

    await expect(client?.port.status()).rejects.toThrow(SupervisorLostError);
    expect(client?.isLost).toBe(true);
    client?.close();
  });
});
