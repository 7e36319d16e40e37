import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CliError } from '../../../cli-error.js';
import { connectSupervisor } from '../connect-supervisor.js';

describe('a caller of the supervisor', () => {
  it('is told where the supervisor listens and does not answer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-silent-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 's.sock');
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });

    const error = await connectSupervisor(path, '1.0.0', 20).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(CliError);
    expect(String(error)).toContain(`at ${path} does not answer`);
  });

  it('finds nothing without a listener', async () => {
    expect(await connectSupervisor(join(tmpdir(), 'devs-nobody', 's.sock'), '1.0.0')).toBeUndefined();
  });
});
