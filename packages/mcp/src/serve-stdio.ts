import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import type { ToolServer } from './create-tool-server.js';
import { createStdioTransport } from './stdio/create-stdio-transport.js';

const MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024;

export interface ServeStdioOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Ends the server as SIGTERM and SIGINT do. */
  readonly signal?: AbortSignal;
}

/**
 * Serves one client over two streams. Resolves when its input has ended and all that it asked is answered; or, after SIGTERM,
 * SIGINT or `signal`, when the call at work is answered and its jobs are done. A second SIGTERM or SIGINT ends the process at once.
 */
export async function serveStdio(server: ToolServer, { stdin, stdout, signal }: ServeStdioOptions): Promise<void> {
  const transport = createStdioTransport({
    stdin,
    stdout,
    limitBytes: MESSAGE_LIMIT_BYTES,
    onRefused: (error) => server.logger.log({ event: 'MESSAGE_REFUSED', error }),
  });
  const restoreConsole = stdout === process.stdout ? keepConsoleOffStdout() : () => {};
  const connection = server.connect(transport);
  let stop = () => {};
  const stopping = new Promise<void>((resolve) => {
    stop = () => {
      transport.stopReading();
      connection.refuseFurtherCalls();
      resolve();
    };
  });
  const forget = onStop(stop, signal);
  try {
    await Promise.race([transport.ended, stopping]);
    await connection.settled();
    await connection.close();
  } finally {
    forget();
    restoreConsole();
  }
}

function onStop(stop: () => void, signal: AbortSignal | undefined): () => void {
  process.once('SIGTERM', stop).once('SIGINT', stop);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return () => {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    signal?.removeEventListener('abort', stop);
  };
}

/** A single `console.log` of a library between two messages breaks the client's parser. */
function keepConsoleOffStdout(): () => void {
  const original = globalThis.console;
  globalThis.console = new Console(process.stderr);
  return () => {
    globalThis.console = original;
  };
}
