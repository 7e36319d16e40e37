import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SupervisedTerminal, SuperviseOutcome, SuperviseRequest } from '@devs/supervisor';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ControlRequest } from '../../control/control-message.js';
import { serveControl } from '../../control/serve-control.js';
import { keepSupervised } from '../keep-supervised.js';

/** Somebody holds the terminal, listens only when `listen` is called, and lets go when he is asked to. */
function openScene() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-keep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const socket = join(folder, 'control', 's');
  const heard: ControlRequest[] = [];
  let isHeld = true;
  const supervise = async (): Promise<SuperviseOutcome> =>
    isHeld
      ? { status: 'held', by: 'the keeper', until: 0 }
      : { status: 'supervised', terminal: { user: () => {}, close: async () => {} } as unknown as SupervisedTerminal };
  const world = {
    places: { controlSocket: () => socket, hostFolder: dirname(socket) },
    by: 'the window',
    loadSupervisor: async () => ({ superviseTerminal: supervise }),
  };
  const listen = (letsGo: boolean) =>
    serveControl({ name: 'shop', socketPath: socket, hostFolder: dirname(socket) }, async (request) => {
      heard.push(request);
      if (request.do === 'hand-over' && letsGo) isHeld = false;
    });
  const request = { name: 'shop', attended: true } as SuperviseRequest;
  return { world, heard, listen, request };
}

describe('a window whose terminal somebody else supervises', () => {
  it('[H17] asks him to let go again, where he did not listen yet', async () => {
    const { world, heard, listen, request } = openScene();
    const { outcome, kept } = await keepSupervised(world, request);
    expect([outcome.status, kept.terminal]).toEqual(['held', undefined]);
    const control = await listen(true);
    await expect.poll(() => kept.terminal !== undefined).toBe(true);
    expect(heard).toContainEqual({ do: 'hand-over' });
    control.close();
    await kept.close();
  });

  it('[H17] tells him that its user is there and has typed, and when he is gone', async () => {
    const { world, heard, listen, request } = openScene();
    const control = await listen(false);
    const { kept } = await keepSupervised(world, request);
    kept.typed();
    await expect.poll(() => heard).toContainEqual({ do: 'user', attached: true, typed: true });
    await kept.close();
    expect(heard.at(-1)).toEqual({ do: 'user', attached: false, typed: false });
    control.close();
  });

  it('is not asked to let go by whoever only keeps it', async () => {
    const { world, heard, listen, request } = openScene();
    const control = await listen(true);
    const { kept } = await keepSupervised(world, { ...request, attended: false });
    await kept.close();
    expect(heard).toEqual([]);
    control.close();
  });
});
