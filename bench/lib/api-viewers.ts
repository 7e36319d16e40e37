// Started by `api-broadcast.ts`: so many viewers of one terminal in a process of their own. Tells its parent how far the slowest is.
import { connect } from 'node:net';
import { WebSocket } from 'ws';

interface Order {
  readonly socketPath: string;
  readonly viewers: number;
  /** Missing for the bare server. */
  readonly token?: string;
}

const ACK_BYTES = 64 << 10;
const TELL_BYTES = 128 << 10;

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const received = new Array<number>(order.viewers).fill(0);
let told = 0;
let ready = 0;

for (let index = 0; index < order.viewers; index++) open(index);

function open(index: number): void {
  const { socketPath, token } = order;
  const socket = new WebSocket('ws://bench/v1/live', {
    createConnection: () => connect(socketPath),
    perMessageDeflate: false,
  });
  let acked = 0;
  let isSnapshot = token !== undefined;
  let offset = 0;
  socket.on('open', () => {
    if (token === undefined) return isReady();
    socket.send(JSON.stringify({ type: 'hello', token }));
    socket.send(JSON.stringify({ type: 'subscribe', channel: 0, subscription: { to: 'terminal', terminal: 't0' } }));
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) {
      const message = JSON.parse(data.toString()) as { type: string; offset?: number; skipped?: boolean };
      if (message.type !== 'snapshot') return;
      if (message.skipped) process.send?.({ skipped: true });
      isSnapshot = true;
      offset = message.offset ?? 0;
      return;
    }
    if (isSnapshot) {
      isSnapshot = false;
      isReady();
      return;
    }
    const bytes = data.length - (token === undefined ? 0 : 2);
    received[index] = (received[index] ?? 0) + bytes;
    offset += bytes;
    if (token !== undefined && offset - acked >= ACK_BYTES) {
      acked = offset;
      socket.send(JSON.stringify({ type: 'ack', channel: 0, offset }));
    }
    tell();
  });
}

function isReady(): void {
  ready += 1;
  if (ready === order.viewers) process.send?.({ ready: true });
}

function tell(): void {
  const slowest = Math.min(...received);
  if (slowest - told < TELL_BYTES) return;
  told = slowest - (slowest % TELL_BYTES);
  process.send?.({ slowest: told });
}
