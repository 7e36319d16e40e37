import type { Socket } from 'node:net';
import { createFrameDecoder, encodeControl, encodeInput, type Frame } from '../protocol/frames.js';
import { HostMessage, type Params, RESULTS, type RequestName, type Result } from '../protocol/messages.js';
import type { TerminalHost, WatchRequest } from '../terminal-host.js';
import { TerminalHostRefusedError, TerminalHostUnavailableError } from '../terminal-host-error.js';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Speaks the protocol over a connected socket, whose first answer is still to come. */
export function createHostClient(socket: Socket): Omit<TerminalHost, 'instance' | 'pid'> & Hello {
  const waiting = new Map<number, Waiting>();
  const watches = new Map<number, Listeners>();
  const lostListeners = new Set<() => void>();
  let lastRequest = 0;
  let lastWatch = 0;
  let state: 'open' | 'closed' | 'lost' = 'open';

  const ask = (encode: (request: number) => Buffer): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (state !== 'open') return reject(unavailable());
      const request = ++lastRequest;
      waiting.set(request, { resolve, reject });
      socket.write(encode(request));
    });
  const call = async <Name extends RequestName>(method: Name, params: Params<Name>): Promise<Result<Name>> =>
    RESULTS[method].parse(await ask((request) => encodeControl({ request, method, params }))) as Result<Name>;

  const take = (frame: Frame) => {
    if (frame.kind === 'output') return watches.get(frame.watch)?.onOutput(frame.bytes, frame.offset);
    if (frame.kind === 'control') return hear(HostMessage.parse(JSON.parse(frame.json)));
  };
  const hear = (message: HostMessage) => {
    if ('answer' in message) {
      const asker = waiting.get(message.answer);
      waiting.delete(message.answer);
      if ('refusal' in message) asker?.reject(new TerminalHostRefusedError(message.refusal, message.message));
      else asker?.resolve(message.result);
    } else if (message.event === 'output.skipped') {
      watches.get(message.watch)?.onSkipped?.(message.from, message.to);
    } else if (message.event === 'terminal.resized') {
      watches.get(message.watch)?.onResized?.(message);
    } else {
      const watch = watches.get(message.watch);
      watches.delete(message.watch);
      watch?.onExit?.(message.terminal);
    }
  };

  const decode = createFrameDecoder(take);
  socket.on('data', (chunk: Buffer) => {
    try {
      decode(chunk);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  socket.on('error', () => {}); // `close` follows
  socket.on('close', () => {
    if (state === 'open') state = 'lost';
    for (const { reject } of waiting.values()) reject(unavailable());
    waiting.clear();
    watches.clear();
    if (state === 'lost') for (const listener of lostListeners) listener();
  });

  return {
    hello: (protocol) => call('hello', { protocol }),
    async prove() {
      await call('prove', { pid: process.pid });
    },
    async spawn(request) {
      try {
        return { kind: 'spawned', terminal: await call('spawn', request) };
      } catch (error) {
        if (!(error instanceof TerminalHostRefusedError)) throw error;
        return { kind: 'refused', refusal: error.refusal, message: error.message };
      }
    },
    list: () => call('list', {}),
    async write({ handle }, data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      try {
        await ask((request) => encodeInput(request, handle, bytes));
        return 'written';
      } catch (error) {
        if (!(error instanceof TerminalHostRefusedError) || error.refusal === 'not-allowed') throw error;
        return error.refusal === 'input-backlog' ? 'input-backlog' : 'exited';
      }
    },
    async resize(terminalId, { columns, rows }) {
      await call('resize', { terminalId, columns, rows });
    },
    async sizes(terminalId) {
      try {
        return await call('sizes', { terminalId });
      } catch (error) {
        if (error instanceof TerminalHostRefusedError && error.refusal === 'bad-request') return undefined;
        throw error;
      }
    },
    async signal(terminalId, signal) {
      await call('signal', { terminalId, signal });
    },
    end: (terminalId, { graceMs, holder }) =>
      call('end', { terminalId, graceMs, ...(holder === undefined ? {} : { holder }) }),
    async hold(terminalId, holder) {
      await call('hold', { terminalId, holder });
    },
    processes: (terminalId) => call('processes', { terminalId }),
    watch: (request) => startWatch(request),
    async keep(terminalId, { handle, offset, data }) {
      await call('keep', { terminalId, handle, offset, data });
    },
    recall: async (terminalId) => (await call('recall', { terminalId })) ?? undefined,
    async forget(terminalId) {
      await call('forget', { terminalId });
    },
    async guard(order) {
      await call('guard', order);
    },
    async unguard() {
      await call('unguard', {});
    },
    async entrust(name, data) {
      await call('entrust', { name, data: data ?? null });
    },
    entrusted: async (name) => (await call('entrusted', { name })) ?? undefined,
    onLost(listener) {
      if (state === 'lost') listener();
      else lostListeners.add(listener);
      return () => lostListeners.delete(listener);
    },
    close() {
      state = 'closed';
      socket.end();
      socket.unref();
    },
  };

  async function startWatch({ terminalId, from, ...listeners }: WatchRequest) {
    const watch = ++lastWatch;
    watches.set(watch, listeners);
    try {
      const terminal = await call('watch', { terminalId, watch, ...(from === undefined ? {} : { from }) });
      return {
        terminal,
        stop() {
          if (watches.delete(watch)) void call('unwatch', { watch }).catch(() => {}); // a lost connection watches nothing
        },
      };
    } catch (error) {
      watches.delete(watch);
      throw error;
    }
  }
}

type Listeners = Omit<WatchRequest, 'terminalId' | 'from'>;

interface Hello {
  hello(protocol: number): Promise<Result<'hello'>>;
  /** Says which process this is, while it holds the challenge of the host open. */
  prove(): Promise<void>;
}

const unavailable = () =>
  new TerminalHostUnavailableError('The connection to the terminal host has ended; connect again to continue');
