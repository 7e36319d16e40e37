import type { Socket } from 'node:net';
import { createFrameDecoder, encodeControl, encodeInput, type Frame } from '../protocol/frames.js';
import { HostMessage, type Params, RESULTS, type RequestName, type Result } from '../protocol/messages.js';
import type { TerminalHost, TerminalWatch, WatchRequest } from '../terminal-host.js';
import { TerminalHostRefusedError, TerminalHostUnavailableError } from '../terminal-host-error.js';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Speaks the protocol over a connected socket, whose first answer is still to come. */
export function createHostClient(socket: Socket): Omit<TerminalHost, 'instance' | 'pid'> & Hello {
  const connection = new HostConnection(socket);
  const call = <Name extends RequestName>(method: Name, params: Params<Name>) => connection.call(method, params);
  const tell = async <Name extends RequestName>(method: Name, params: Params<Name>) =>
    void (await call(method, params));
  return {
    hello: (protocol) => call('hello', { protocol }),
    prove: () => tell('prove', { pid: process.pid }),
    spawn: (request) =>
      call('spawn', request).then(
        (terminal) => ({ kind: 'spawned', terminal }),
        (error: unknown) => {
          const { refusal, message } = refused(error);
          return { kind: 'refused', refusal, message };
        },
      ),
    list: () => call('list', {}),
    async write({ handle }, data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      try {
        await connection.ask((request) => encodeInput(request, handle, bytes));
        return 'written';
      } catch (error) {
        const { refusal } = refused(error);
        if (refusal === 'not-allowed') throw error;
        return refusal === 'input-backlog' ? 'input-backlog' : 'exited';
      }
    },
    resize: (terminalId, { columns, rows }) => tell('resize', { terminalId, columns, rows }),
    sizes: (terminalId) =>
      call('sizes', { terminalId }).catch((error: unknown) => {
        if (refused(error).refusal === 'bad-request') return undefined; // a host of an older devs
        throw error;
      }),
    signal: (terminalId, signal) => tell('signal', { terminalId, signal }),
    end: (terminalId, { graceMs, holder }) =>
      call('end', { terminalId, graceMs, ...(holder === undefined ? {} : { holder }) }),
    hold: (terminalId, holder) => tell('hold', { terminalId, holder }),
    processes: (terminalId) => call('processes', { terminalId }),
    watch: (request) => connection.watch(request),
    keep: (terminalId, { handle, offset, data }) => tell('keep', { terminalId, handle, offset, data }),
    recall: async (terminalId) => (await call('recall', { terminalId })) ?? undefined,
    forget: (terminalId) => tell('forget', { terminalId }),
    guard: (order) => tell('guard', order),
    unguard: () => tell('unguard', {}),
    entrust: (name, data) => tell('entrust', { name, data: data ?? null }),
    entrusted: async (name) => (await call('entrusted', { name })) ?? undefined,
    onLost: (listener) => connection.onLost(listener),
    close: () => connection.close(),
  };
}

/** Why the host refused; every other error is thrown. */
function refused(error: unknown): TerminalHostRefusedError {
  if (error instanceof TerminalHostRefusedError) return error;
  throw error;
}

/** Requests with their answers, and what watches hear in between. */
class HostConnection {
  private readonly waiting = new Map<number, Waiting>();
  private readonly watches = new Map<number, Listeners>();
  private readonly lostListeners = new Set<() => void>();
  private lastRequest = 0;
  private lastWatch = 0;
  private state: 'open' | 'closed' | 'lost' = 'open';

  constructor(private readonly socket: Socket) {
    const decode = createFrameDecoder((frame) => this.take(frame));
    socket.on('data', (chunk: Buffer) => {
      try {
        decode(chunk);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    socket.on('error', () => {}); // `close` follows
    socket.on('close', () => this.end());
  }

  ask(encode: (request: number) => Buffer): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.state !== 'open') return reject(unavailable());
      const request = ++this.lastRequest;
      this.waiting.set(request, { resolve, reject });
      this.socket.write(encode(request));
    });
  }

  async call<Name extends RequestName>(method: Name, params: Params<Name>): Promise<Result<Name>> {
    return RESULTS[method].parse(
      await this.ask((request) => encodeControl({ request, method, params })),
    ) as Result<Name>;
  }

  async watch({ terminalId, from, ...listeners }: WatchRequest): Promise<TerminalWatch> {
    const watch = ++this.lastWatch;
    this.watches.set(watch, listeners);
    try {
      const terminal = await this.call('watch', { terminalId, watch, ...(from === undefined ? {} : { from }) });
      const stop = () => {
        if (this.watches.delete(watch)) void this.call('unwatch', { watch }).catch(() => {}); // a lost connection watches nothing
      };
      return { terminal, stop };
    } catch (error) {
      this.watches.delete(watch);
      throw error;
    }
  }

  onLost(listener: () => void): () => void {
    if (this.state === 'lost') listener();
    else this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  close(): void {
    this.state = 'closed';
    this.socket.end();
    this.socket.unref();
  }

  private take(frame: Frame): void {
    if (frame.kind === 'output') this.watches.get(frame.watch)?.onOutput(frame.bytes, frame.offset);
    if (frame.kind === 'control') this.hear(HostMessage.parse(JSON.parse(frame.json)));
  }

  private hear(message: HostMessage): void {
    if ('answer' in message) {
      const asker = this.waiting.get(message.answer);
      this.waiting.delete(message.answer);
      if ('refusal' in message) asker?.reject(new TerminalHostRefusedError(message.refusal, message.message));
      else asker?.resolve(message.result);
      return;
    }
    const watch = this.watches.get(message.watch);
    if (message.event === 'output.skipped') watch?.onSkipped?.(message.from, message.to);
    else if (message.event === 'terminal.resized') watch?.onResized?.(message);
    else {
      this.watches.delete(message.watch);
      watch?.onExit?.(message.terminal);
    }
  }

  private end(): void {
    if (this.state === 'open') this.state = 'lost';
    for (const { reject } of this.waiting.values()) reject(unavailable());
    this.waiting.clear();
    this.watches.clear();
    if (this.state === 'lost') for (const listener of this.lostListeners) listener();
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
