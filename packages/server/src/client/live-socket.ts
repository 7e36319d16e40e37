import { connect } from 'node:net';
import type { LiveSocket, LiveSocketEvents } from '@devs/api';
import { WebSocket } from 'ws';

/** The WebSocket of a supervisor, over its Unix socket. */
export function connectLiveSocket(socketPath: string, events: LiveSocketEvents): LiveSocket {
  const socket = new WebSocket('ws://devs/v1/live', {
    createConnection: () => connect(socketPath),
    perMessageDeflate: false,
  });
  socket.on('open', events.onOpen);
  socket.on('message', (data: Buffer, isBinary: boolean) =>
    isBinary ? events.onBinary(data) : events.onText(data.toString('utf8')),
  );
  socket.on('error', () => {}); // `close` follows
  socket.on('close', events.onClose);
  return {
    send: (message) => socket.send(message),
    close: () => socket.terminate(),
  };
}
