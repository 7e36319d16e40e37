import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The network between a page and its supervisor: connections through it can be cut, or fall silent. */
export interface Relay {
  /** The same link, through the relay. */
  through(link: string): string;
  /** Ends every connection at once. */
  cut(): void;
  /** Every connection stays open, and nothing passes any more, as after a night in a closed laptop. New ones work. */
  silence(): void;
  close(): void;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export async function openRelay(port: number): Promise<Relay> {
  const pairs = new Set<Pair>();
  const end = ({ near, far }: Pair) => {
    near.destroy();
    far.destroy();
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    for (const socket of [near, far]) socket.on('error', () => end(pair)).on('close', () => end(pair));
    near.on('close', () => pairs.delete(pair));
    // The supervisor serves its own name alone; both ports have as many digits.
    near.on('data', (bytes) => far.write(named(bytes, own(), port)));
    far.on('data', (bytes) => near.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = () => (server.address() as AddressInfo).port;
  return {
    through: (link) => link.replace(`:${port}/`, `:${own()}/`),
    cut: () => pairs.forEach(end),
    silence() {
      for (const { near, far } of pairs) {
        near.removeAllListeners('data').resume();
        far.removeAllListeners('data').resume();
      }
    },
    close() {
      pairs.forEach(end);
      server.close();
    },
  };
}

function named(bytes: Buffer, from: number, to: number): Buffer {
  const text = bytes.toString('latin1');
  const name = `127.0.0.1:${from}`;
  return text.includes(name) ? Buffer.from(text.replaceAll(name, `127.0.0.1:${to}`), 'latin1') : bytes;
}
