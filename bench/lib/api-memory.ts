import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { tokenOf } from './api-requests.js';
import { type ApiWorld, openApiWorld } from './api-world.js';

const PRINTED_ROWS = 400;

/** Memory that the server needs for viewed terminals: a screen with its scrollback each. */
export async function measureMemory(): Promise<void> {
  const one = await memoryWith(1);
  const hundred = await memoryWith(100);
  const each = (hundred - one) / 99;
  console.log(
    `${`the server, 100 shown, ${PRINTED_ROWS} rows each`.padEnd(43)} ${(hundred / (1 << 20)).toFixed(0)} MB, ${(each / 1_024).toFixed(0)} KB each`,
  );
}

async function memoryWith(terminals: number): Promise<number> {
  const world = await openApiWorld();
  const before = await used();
  const sockets = await look(world, terminals);
  const line = Buffer.from(`${'x'.repeat(100)}\r\n`.repeat(PRINTED_ROWS));
  for (let index = 0; index < terminals; index++) world.print(`t${index}`, line);
  await pause(1_000);
  const after = await used();
  for (const socket of sockets) socket.terminate();
  await world.close();
  return after - before;
}

/** One page has them all open. */
async function look(world: ApiWorld, terminals: number): Promise<readonly WebSocket[]> {
  const token = await tokenOf(world);
  const socket = new WebSocket('ws://bench/v1/live', { createConnection: () => connect(world.socketPath) });
  let shown = 0;
  await new Promise<void>((resolve) => {
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'hello', token }));
      for (let channel = 0; channel < terminals; channel++) {
        socket.send(
          JSON.stringify({ type: 'subscribe', channel, subscription: { to: 'terminal', terminal: `t${channel}` } }),
        );
      }
    });
    socket.on('message', (_, isBinary) => {
      if (!isBinary) return;
      shown += 1;
      if (shown >= terminals) resolve();
    });
  });
  return [socket];
}

async function used(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc?.();
    await pause(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
