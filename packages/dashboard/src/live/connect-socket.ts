import type { LiveSocket, LiveSocketEvents } from '@devs/api';

const NO_CAPABILITY = 4401;

/** The browser's own WebSocket to the supervisor that served the page. */
export function connectSocket(events: LiveSocketEvents, onRefused: () => void): LiveSocket {
  const socket = new WebSocket(`ws://${location.host}/v1/live`);
  socket.binaryType = 'arraybuffer';
  let isClosed = false;
  const closed = () => {
    if (isClosed) return;
    isClosed = true;
    events.onClose();
  };
  socket.onopen = () => events.onOpen();
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (isClosed) return;
    if (typeof data === 'string') events.onText(data);
    else events.onBinary(new Uint8Array(data));
  };
  socket.onclose = ({ code }) => {
    if (code === NO_CAPABILITY) onRefused();
    closed();
  };
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message as Uint8Array<ArrayBuffer> | string);
    },
    // A connection that is gone may take minutes to say so: who closes it does not wait for that.
    close() {
      socket.close();
      closed();
    },
  };
}
