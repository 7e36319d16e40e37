import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { createLineSplitter, type Line } from './split-lines.js';

export interface StdioTransport extends Transport {
  /** Resolves when no more messages will come, or no client is left to answer. */
  readonly ended: Promise<void>;
  /** Stops reading; requests already read can still be answered. */
  stopReading(): void;
}

interface StdioTransportOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly limitBytes: number;
  readonly onRefused: (reason: string) => void;
}

/**
 * Messages as lines of JSON. Differs from the SDK's transport in what devs relies on: `send` resolves when the operating
 * system has the message; the end of the input does not take the answers away; a bad or huge line gets an error and costs
 * no more than that.
 */
export function createStdioTransport({ stdin, stdout, limitBytes, onRefused }: StdioTransportOptions): StdioTransport {
  const lines = createLineSplitter({ limitBytes });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let closed = false;

  const transport: StdioTransport = {
    ended,
    async start() {
      stdin.on('data', onData).once('end', onEnd).once('close', end).once('error', end);
      // Stays for good: a late error of a broken pipe must not end the process. The client is gone, which is no error of ours.
      stdout.on('error', () => void transport.close());
      if (stdin.readableEnded || stdin.destroyed) end();
    },
    stopReading: () => void stdin.off('data', onData).off('end', onEnd).pause(),
    async close() {
      if (closed) return;
      closed = true;
      transport.stopReading();
      end();
      transport.onclose?.();
    },
    send,
  };
  return transport;

  function onData(chunk: Buffer): void {
    for (const line of lines.push(chunk)) receive(line);
  }

  function onEnd(): void {
    for (const line of lines.end()) receive(line);
    end();
  }

  function receive(line: Line): void {
    if ('tooLong' in line) {
      refuse({ code: ProtocolErrorCode.InvalidRequest, reason: `a message is longer than ${limitBytes} bytes` });
    } else if (line.text.trim() !== '') {
      const parsed = parseMessage(line.text);
      if ('refused' in parsed) refuse(parsed.refused);
      else transport.onmessage?.(parsed.message);
    }
  }

  function refuse({ code, reason, ...id }: { code: number; reason: string; id?: string | number }): void {
    onRefused(reason);
    // MCP leaves the id out where it is not known; the SDK's clients do not take JSON-RPC's null.
    send({ jsonrpc: '2.0', ...id, error: { code, message: reason } }).catch(() => {});
  }

  function send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closed) reject(new Error('the connection is closed'));
      else stdout.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

type ParsedMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refused: { readonly code: number; readonly reason: string; readonly id?: string | number } };

/** One line of the input as a message, or why it is none. Pure. */
function parseMessage(line: string): ParsedMessage {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { refused: { code: ProtocolErrorCode.ParseError, reason: 'a line is not JSON' } };
  }
  try {
    return { message: parseJSONRPCMessage(json) };
  } catch {
    const reason = 'a line is not a message of JSON-RPC 2.0';
    return { refused: { code: ProtocolErrorCode.InvalidRequest, reason, ...idOf(json) } };
  }
}

function idOf(json: unknown): { readonly id?: string | number } {
  const id: unknown = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? { id } : {};
}
