import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askControl } from '../ask-control.js';
import type { ControlRequest } from '../control-message.js';
import { serveControl } from '../serve-control.js';

/** Serves the terminal `shop`. `agent`: the terminal of the host in which this test process sits. */
async function serve({ agent }: { readonly agent?: string } = {}) {
  const hostFolder = mkdtempSync(join(tmpdir(), 'devs-control-'));
  const socketPath = join(hostFolder, 'control', 'shop');
  if (agent !== undefined) {
    const terminal = { terminalId: agent, pid: process.ppid, started: 'now', mark: 'i/t/1', file: 'sh' };
    const record = { pid: 1, started: 'now', instance: 'i', protocol: 1, terminals: [terminal] };
    writeFileSync(join(hostFolder, 'host.json'), JSON.stringify(record));
  }
  const heard: ControlRequest[] = [];
  const control = await serveControl({ name: 'shop', socketPath, hostFolder }, async (request) => {
    heard.push(request);
    return 'as you wish';
  });
  onTestFinished(() => {
    control.close();
    rmSync(hostFolder, { recursive: true, force: true });
  });
  return { socketPath, heard, folder: join(hostFolder, 'control') };
}

const sayLine = (socketPath: string, line: string): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = createConnection(socketPath, () => void socket.write(`${line}\n{}\n`));
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
  });

describe('the control socket of a terminal', () => {
  it('answers the user, and keeps no challenge', async () => {
    const { socketPath, folder } = await serve();
    expect(await askControl(socketPath, { do: 'send', text: 'hello' })).toEqual({
      status: 'done',
      result: 'as you wish',
    });
    expect(readdirSync(folder)).toEqual(['shop']);
  });

  it('[S10] tells a caller in the same terminal its status and does nothing else for it', async () => {
    const { socketPath, heard } = await serve({ agent: 'shop' });
    expect(await askControl(socketPath, { do: 'status' })).toMatchObject({ status: 'done' });
    for (const request of [
      { do: 'send', text: 'y' },
      { do: 'stop' },
      { do: 'renew', dropsDraft: true },
      { do: 'hand-over' },
      { do: 'user', attached: true, typed: true },
    ] as const) {
      expect(await askControl(socketPath, request)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('Ask from another window'),
      });
    }
    expect(heard).toEqual([{ do: 'status' }]);
  });

  it('[S10] tells a caller in another terminal nothing', async () => {
    const { socketPath, heard } = await serve({ agent: 'other' });
    expect(await askControl(socketPath, { do: 'status' })).toMatchObject({ status: 'failed' });
    expect(heard).toEqual([]);
  });

  it('[S10] refuses a caller that names no process, or another one', async (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux shows what a process holds open');
    const { socketPath, heard } = await serve();
    expect(await sayLine(socketPath, '{"do":"stop"}')).toContain('does not know this request');
    expect(await sayLine(socketPath, `{"do":"stop","pid":${process.ppid}}`)).toContain('did not show');
    expect(heard).toEqual([]);
  });
});
